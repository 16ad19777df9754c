import { bodyErrors } from '@lyceum/platform';
import { z } from 'zod';
import { MAX_HTML_DEPTH, cleanBeginning, cutDescription, html as htmlSchema } from './description.policy.js';

const LONGEST = 100_000;
const field = htmlSchema(LONGEST);
const clean = (html: string): string => field.parse(html);

it.each([
  ['keeps text and structure', '<h2>A</h2><p>b <strong>c</strong></p>', '<h2>A</h2><p>b <strong>c</strong></p>'],
  ['drops scripts with what is in them', '<p>a</p><script>alert(1)</script>', '<p>a</p>'],
  ['drops styles', '<style>p{}</style><p style="color:red">a</p>', '<p>a</p>'],
  ['drops event handlers', '<p onclick="x()">a</p>', '<p>a</p>'],
  [
    'drops addresses that run something',
    '<a href="javascript:x()">a</a>',
    '<a rel="noopener noreferrer nofollow">a</a>',
  ],
  ['drops addresses that hide it', '<a href="java\tscript:x()">a</a>', '<a rel="noopener noreferrer nofollow">a</a>'],
  [
    'drops addresses with <',
    '<a href="https://x/&lt; !-->"><img src="https://x/<!--1-->" alt="b">',
    '<a rel="noopener noreferrer nofollow"><img alt="b" /></a>',
  ],
  ['drops images that are not https', '<img src="data:text/html,x"><img src="//x.example/a.png">', '<img /><img />'],
  ['drops frames and forms, and keeps their text', '<iframe src="https://x"></iframe><form>a</form>', 'a'],
  ['drops foreign content', '<svg><script>1</script></svg><math>a</math>', 'a'],
  ['leaves nothing of a broken tag', '<img src=x onerror=alert(1)//', ''],
  [
    'drops control characters that entities stand for',
    '<p title="&#2;">a&#1;&#x0b;b&#0;&#xd800;</p>',
    '<p>ab\ufffd\ufffd</p>',
  ],
  ['escapes what only looks like a tag', '1 < 2 &lt;b&gt;', '1 &lt; 2 &lt;b&gt;'],
])('%s', (_rule, html, expected) => {
  expect(clean(html)).toBe(expected);
});

it('keeps clean HTML unchanged', () => {
  const once = clean('<p>a &amp; b <a href="https://x.example/?a=1&b=2">c</a></p>');
  expect(clean(once)).toBe(once);
});

it('closes open elements of a cut description, and splits no character', () => {
  expect(cutDescription('<p><strong>abcdef</strong></p>', 14)).toBe('<p><strong>abc</strong></p>');
  expect(cutDescription('<p>ab😀</p>', 6).isWellFormed()).toBe(true);
  expect(cutDescription('<p>ab</p>', 9)).toBe('<p>ab</p>');
});

const nested = (levels: number): string => `${'<b>'.repeat(levels)}a${'</b>'.repeat(levels)}`;

it('keeps 100 levels of elements, and refuses 101', () => {
  const deepest = nested(MAX_HTML_DEPTH);
  expect(clean(deepest + deepest)).toBe(deepest + deepest);
  const { error } = z.object({ body_html: field }).safeParse({ body_html: `<b>${deepest}</b>` }, { reportInput: true });
  expect(error && bodyErrors(error)).toEqual([
    { pointer: '/body_html', code: 'too_deep', detail: 'Elements may nest at most 100 levels deep' },
  ]);
});

it.each([
  ['open elements', (levels: number) => '<i>'.repeat(levels)],
  ['unknown elements', (levels: number) => '<x-y>'.repeat(levels)],
  ['elements in dropped text', (levels: number) => `<option>${'<b>'.repeat(levels - 1)}`],
  ['elements of frames', (levels: number) => `<iframe>${'<b>'.repeat(levels - 1)}`],
  ['lists', (levels: number) => '<ul><li>'.repeat(levels / 2) + '<b>'.repeat(levels % 2)],
])('counts %s', (_what, html) => {
  expect(field.safeParse(html(MAX_HTML_DEPTH)).success).toBe(true);
  expect(field.safeParse(html(MAX_HTML_DEPTH + 1)).success).toBe(false);
});

it('halves a beginning until it nests at most 100 levels deep', () => {
  const source = `<p>${'a'.repeat(997)}${'<b>'.repeat(MAX_HTML_DEPTH)}`;
  expect(cleanBeginning(source, source.length)).toEqual({ html: `<p>${'a'.repeat(647)}</p>`, cut: true });
  expect(cleanBeginning(nested(MAX_HTML_DEPTH), LONGEST)).toEqual({ html: nested(MAX_HTML_DEPTH), cut: false });
  expect(cleanBeginning('<b>'.repeat(LONGEST), LONGEST).cut).toBe(true);
});

/** Ways to make a parser read the same characters many times. */
const FLOODS: readonly [what: string, part: string, before?: string, after?: string][] = [
  ['open elements', '<b>'],
  ['lists in lists', '<ul><li>'],
  ['closing tags', '</b>', '<i>'.repeat(MAX_HTML_DEPTH)],
  ['closing tags of paragraphs', '</p>'],
  ['attributes', ' a1', '<a'],
  ['entities', '&amp;'],
  ['entities of an attribute', '&amp;', '<a title="', '">'],
  ['open entities', '&ampe'],
  ['digits of an entity', '1', '&#'],
  ['<', '<'],
  ['</', '</'],
  ['open comments', '<!--'],
  ['comments', '<!---->'],
  ['comments in an address', '<!---->', '<a href="https://x', '">'],
  ['spaced comments in an address', '< !---->', '<a href="https://x', '">'],
  ['comments in the address of an image', '<!---->', '<img src="https://x', '">'],
  ['declarations', '<!d>'],
  ['open frames', '<iframe>'],
  ['closing tags of drawings', '</lineargradient>', '<svg>'.repeat(MAX_HTML_DEPTH - 1) + '<title>'],
  ['forms', '<form>', '<form>'],
];

it.each(FLOODS)('cleans a flood of %s in linear time', (_what, part, before = '', after = '') => {
  // Six times the longest field: quadratic growth takes from six seconds to a minute.
  const flood = `${before}${part.repeat((6 * LONGEST) / part.length)}${after}`;
  const start = process.cpuUsage();
  cleanBeginning(flood, flood.length);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(4);
});
