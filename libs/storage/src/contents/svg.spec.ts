import { MAX_SVG_BYTES, requireSafeSvg } from './svg.js';

const svg = (inner: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`;
const check = (text: string) => () => requireSafeSvg(Buffer.from(text));

it.each([
  svg('<rect width="1" height="1" fill="url(#a)"/>'),
  `<?xml version="1.0" encoding="UTF-8"?><!-- drawn by hand -->${svg('<use xlink:href="#a"/>')}`,
  svg('<style>.a { fill: #fff; mask: url("#b") }</style><path class="a" d="M0 0"/>'),
  svg('<image href="data:image/png;base64,iVBORw0KGgo="/>'),
  svg('<a href="#part"><text>on click</text></a>'),
  svg('<animate attributeName="opacity" from="0" to="1"/>'),
  svg('<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>'),
])('accepts %s', (text) => expect(check(text)).not.toThrow());

it.each([
  ['script', svg('<script>alert(1)</script>')],
  ['SCRIPT', svg('<SCRIPT/>')],
  ['script', svg('<x:script xmlns:x="http://www.w3.org/2000/svg"/>')],
  ['foreignObject', svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>')],
  ['h:body', svg('<h:body xmlns:h="http://www.w3.org/1999/xhtml"/>')],
  ['onload', svg('', 'onload="alert(1)"')],
  ['onclick', svg('<rect onclick="a()"/>')],
  ['x:onclick', svg('<rect xmlns:x="a" x:onclick="a()"/>')],
  ['href', svg('<a href="javascript:alert(1)"/>')],
  ['href', svg('<a href="java&#115;cript:alert(1)"/>')],
  ['href', svg('<image href="https://tracker.example/a.png"/>')],
  ['xlink:href', svg('<use xlink:href="//other.example/a.svg#b"/>')],
  ['href', svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>')],
  ['animation of href', svg('<animate attributeName="href" values="#a"/>')],
  ['animation of xlink:href', svg('<set attributeName="xlink:href" to="#a"/>')],
  ['animation of onclick', svg('<set attributeName="onclick" to="a()"/>')],
  ['values', svg('<animate attributeName="x" values="javascript:alert(1)"/>')],
  ['fill', svg('<rect fill="url(https://other.example/a)"/>')],
  ['styles', svg('<style>@import "https://other.example/a.css";</style>')],
  ['styles', svg('<style><![CDATA[a{background:url(https://other.example/a)}]]></style>')],
  ['styles', svg('<style>a{background:\\75rl(https://other.example/a)}</style>')],
  ['styles', svg('<rect style="background:url(//other.example/a)"/>')],
  ['xml:base', svg('', 'xml:base="https://other.example/"')],
  ['DOCTYPE', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`],
  ['xml-stylesheet', `<?xml-stylesheet href="a.css"?>${svg('')}`],
  ['root element', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
  ['root element', '<svg/>'],
  ['well-formed', '<svg xmlns="http://www.w3.org/2000/svg">'],
  ['well-formed', 'not xml'],
  ['encoding', `<?xml version="1.0" encoding="UTF-7"?>${svg('')}`],
])('refuses by %s: %s', (why, text) => {
  expect(check(text)).toThrow(expect.objectContaining({ reason: 'unsafe_svg', detail: expect.stringContaining(why) }));
});

it('refuses other encodings, and files above the limit', () => {
  expect(() => requireSafeSvg(Buffer.from(svg(''), 'utf16le'))).toThrow('It is not');
  const padded = (bytes: number) => check(svg(' '.repeat(bytes - svg('').length)));
  expect(padded(MAX_SVG_BYTES)).not.toThrow();
  expect(padded(MAX_SVG_BYTES + 1)).toThrow('at most');
});
