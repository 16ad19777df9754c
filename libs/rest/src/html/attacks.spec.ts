import { cleanBeginning, cutDescription, html as htmlSchema } from './description.policy.js';

const field = htmlSchema(100_000);

/** The vectors of the OWASP XSS Filter Evasion Cheat Sheet for HTML, and mutations that browsers repair into markup. */
const ATTACKS: readonly string[] = [
  `javascript:/*--></title></style></textarea></script></xmp><svg/onload='+/"/+/onmouseover=1/+/[*/[]/+alert(42)//'>`,
  `<SCRIPT SRC=https://cdn.example/xss.js></SCRIPT>`,
  `<IMG SRC="javascript:alert('XSS');">`,
  `<IMG SRC=JaVaScRiPt:alert('XSS')>`,
  `<IMG SRC=javascript:alert(&quot;XSS&quot;)>`,
  '<IMG SRC=`javascript:alert("RSnake says, \'XSS\'")`>',
  String.raw`\<a onmouseover="alert(document.cookie)"\>xxs link\</a\>`,
  String.raw`\<a onmouseover=alert(document.cookie)\>xxs link\</a\>`,
  String.raw`<IMG """><SCRIPT>alert("XSS")</SCRIPT>"\>`,
  `<IMG SRC=javascript:alert(String.fromCharCode(88,83,83))>`,
  `<IMG SRC=# onmouseover="alert('xxs')">`,
  `<IMG SRC= onmouseover="alert('xxs')">`,
  `<IMG onmouseover="alert('xxs')">`,
  `<IMG SRC=/ onerror="alert(String.fromCharCode(88,83,83))"></img>`,
  `<img src=x onerror="&#0000106&#0000097&#0000118&#0000097&#0000115&#0000099&#0000114&#0000105&#0000112&#0000116">`,
  `<IMG SRC=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;&#97;&#108;&#101;&#114;&#116;&#40;1&#41;>`,
  `<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)">x</a>`,
  `<IMG SRC=&#0000106&#0000097&#0000118&#0000097&#0000115&#0000099&#0000114&#0000105&#0000112&#0000116&#0000058alert(1)>`,
  `<IMG SRC=&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A&#x61&#x6C&#x65&#x72&#x74&#x28&#x31&#x29>`,
  `<a href="jav\tascript:alert('XSS');">x</a>`,
  `<a href="jav&#x09;ascript:alert('XSS');">x</a>`,
  `<a href="jav&#x0A;ascript:alert('XSS');">x</a>`,
  `<a href="jav&#x0D;ascript:alert('XSS');">x</a>`,
  `<IMG SRC=java\0script:alert("XSS")>`,
  `<a href=" &#14;  javascript:alert('XSS');">x</a>`,
  `<a href="&#1;javascript:alert(1)">x</a>`,
  `<a href="javascript&colon;alert(1)">x</a>`,
  `<a href="java&Tab;script&colon;alert(1)">x</a>`,
  `<a href="vbscript:msgbox(1)">x</a>`,
  `<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>`,
  `<a href="//evil.example/x">x</a>`,
  `<a href="\\\\evil.example/x">x</a>`,
  `<a href="HTTPS:javascript:alert(1)">x</a>`,
  `<a href=https://x.example onclick=alert(1)//>x</a>`,
  `<a href="https://x.example/&quot; onmouseover=&quot;alert(1)">x</a>`,
  `<a href='https://x.example/" onmouseover="alert(1)'>x</a>`,
  `<SCRIPT/XSS SRC="https://cdn.example/xss.js"></SCRIPT>`,
  '<BODY onload!#$%&()*~+-_.,:;?@[/|\\]^`=alert("XSS")>',
  `<SCRIPT/SRC="https://cdn.example/xss.js"></SCRIPT>`,
  `<<SCRIPT>alert("XSS");//\\<</SCRIPT>`,
  `<SCRIPT SRC=https://cdn.example/xss.js?< B >`,
  `<SCRIPT SRC=//cdn.example/.j>`,
  `<IMG SRC="('XSS')"`,
  `<iframe src=https://cdn.example/scriptlet.html <`,
  `</TITLE><SCRIPT>alert("XSS");</SCRIPT>`,
  `<INPUT TYPE="IMAGE" SRC="javascript:alert('XSS');">`,
  `<BODY BACKGROUND="javascript:alert('XSS')">`,
  `<IMG DYNSRC="javascript:alert('XSS')">`,
  `<IMG LOWSRC="javascript:alert('XSS')">`,
  `<STYLE>li {list-style-image: url("javascript:alert('XSS')");}</STYLE><UL><LI>XSS</br>`,
  `<svg/onload=alert('XSS')>`,
  `<BGSOUND SRC="javascript:alert('XSS');">`,
  `<BR SIZE="&{alert('XSS')}">`,
  `<LINK REL="stylesheet" HREF="javascript:alert('XSS');">`,
  `<STYLE>@import'https://cdn.example/xss.css';</STYLE>`,
  `<META HTTP-EQUIV="Link" Content="<https://cdn.example/xss.css>; REL=stylesheet">`,
  `<META HTTP-EQUIV="refresh" CONTENT="0;url=javascript:alert('XSS');">`,
  `<STYLE>BODY{-moz-binding:url("https://cdn.example/xssmoz.xml#xss")}</STYLE>`,
  `<IMG STYLE="xss:expr/*XSS*/ession(alert('XSS'))">`,
  `exp/*<A STYLE='no\\xss:noxss("*//*");xss:ex/*XSS*//*/*/pression(alert("XSS"))'>`,
  `<p style="background:url(javascript:alert(1))">x</p>`,
  `<IFRAME SRC="javascript:alert('XSS');"></IFRAME>`,
  `<IFRAME SRC=# onmouseover="alert(document.cookie)"></IFRAME>`,
  `<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>`,
  `<FRAMESET><FRAME SRC="javascript:alert('XSS');"></FRAMESET>`,
  `<TABLE BACKGROUND="javascript:alert('XSS')"><TD BACKGROUND="javascript:alert('XSS')">x</TD></TABLE>`,
  `<DIV STYLE="background-image: url(javascript:alert('XSS'))">x</DIV>`,
  `<!--[if gte IE 4]><SCRIPT>alert('XSS');</SCRIPT><![endif]-->`,
  `<BASE HREF="javascript:alert('XSS');//">`,
  `<OBJECT TYPE="text/x-scriptlet" DATA="https://cdn.example/scriptlet.html"></OBJECT>`,
  `<EMBED SRC="data:image/svg+xml;base64,PHN2Zy8+" type="image/svg+xml" AllowScriptAccess="always"></EMBED>`,
  `<XML ID="xss"><I><B><IMG SRC="javas<!-- -->cript:alert('XSS')"></B></I></XML>`,
  `<HTML><BODY><?xml:namespace prefix="t" ns="urn:schemas-microsoft-com:time"><t:set attributeName="innerHTML" to="XSS">`,
  `<? echo('<SCR)'; echo('IPT>alert("XSS")</SCRIPT>'); ?>`,
  `<META HTTP-EQUIV="Set-Cookie" Content="USERID=<SCRIPT>alert('XSS')</SCRIPT>">`,
  `+ADw-SCRIPT+AD4-alert('XSS');+ADw-/SCRIPT+AD4-`,
  `<SCRIPT a=">" SRC="https://cdn.example/xss.js"></SCRIPT>`,
  `<SCRIPT =">" SRC="https://cdn.example/xss.js"></SCRIPT>`,
  `<SCRIPT a=">" '' SRC="https://cdn.example/xss.js"></SCRIPT>`,
  '<SCRIPT a=`>` SRC="https://cdn.example/xss.js"></SCRIPT>',
  `<SCRIPT a=">'>" SRC="https://cdn.example/xss.js"></SCRIPT>`,
  `<SCRIPT>document.write("<SCRI");</SCRIPT>PT SRC="https://cdn.example/xss.js"></SCRIPT>`,
  `<A HREF="https://x.example/"onmouseover="alert(1)">XSS</A>`,
  `<details open ontoggle=alert(1)>x</details>`,
  `<video><source onerror="alert(1)"></video>`,
  `<audio src=x onerror=alert(1)>`,
  `<marquee onstart=alert(1)>x</marquee>`,
  `<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>`,
  `<isindex type=image src=1 onerror=alert(1)>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
  `<math><mi><table><mglyph><style><math><img src onerror=alert(1)></style></mglyph></table></mi></math>`,
  `<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`,
  `<svg><foreignObject><body onload=alert(1)></foreignObject></svg>`,
  `<svg><animate onbegin=alert(1) attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:alert(1)"><text y=20>x</text></a></svg>`,
  `<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
  `<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>`,
  `<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>`,
  `<noembed><img title="</noembed><img src onerror=alert(1)>"></noembed>`,
  `<plaintext><script>alert(1)</script>`,
  `<template><script>alert(1)</script></template>`,
  `<select><template><style><!--</style><a rel="--></style></template></select><img src onerror=alert(1)>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`,
  `<img alt="<x" title="/><img src=url404 onerror=alert(1)>">`,
  `<p title="--!><img src=x onerror=alert(1)>">x</p>`,
  `<a title="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;" href="https://x.example">x</a>`,
  `<img src="https://x.example/a.png" srcset="javascript:alert(1)" onload=alert(1)>`,
  `<th scope="&quot; onclick=&quot;alert(1)">x</th>`,
  `<a name="location" id="cookie" class="admin" href="mailto:a@x.example?body=<script>">x</a>`,
  `<![CDATA[<script>alert(1)</script>]]>`,
  `<x-element is="y" onfocus=alert(1) tabindex=0 autofocus>x</x-element>`,
  `<b/onpointerenter=alert(1)>x</b>`,
  `<p><b/ style=x onanimationstart="alert(1)">x</p>`,
  `\u2028<script\u2028>alert(1)</script>`,
  `<script\x20type="text/javascript">javascript:alert(1);</script>`,
  `<img src\x09=\x09x onerror\x0a=\x0aalert(1)>`,
  `＜script＞alert(1)＜/script＞`,
];

const TAGS = new Set(
  'a b blockquote br code em figcaption figure h2 h3 h4 hr i img li ol p pre s strong sub sup table tbody td th thead tr u ul'.split(
    ' ',
  ),
);
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'rel'],
  img: ['src', 'alt', 'width', 'height'],
  th: ['scope'],
  td: ['colspan', 'rowspan'],
};
const SCHEMES: Readonly<Record<string, readonly string[]>> = { href: ['https', 'mailto'], src: ['https'] };

/** An address of the same origin, or one with an allowed scheme. Browsers ignore spaces and control characters. */
function isAddress(attribute: string, value: string): boolean {
  const address = value
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/[\0-\x20]/g, '');
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(address) ?? [];
  if (scheme !== undefined) return SCHEMES[attribute]?.includes(scheme.toLowerCase()) === true;
  return !/^[\\/]{2}/.test(address);
}

/**
 * Returns what is not plain in HTML: text without `<` and `>`, and tags whose attributes stand in double quotes. Every
 * parser reads such HTML in the same way.
 */
function faultsOf(html: string): string[] {
  const faults: string[] = [];
  const text = html.replaceAll(/<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)( \/)?>/g, (tag, _end, name, given) => {
    if (!TAGS.has(String(name))) faults.push(tag);
    for (const [, attribute = '', value = ''] of String(given).matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      const isAllowed = ATTRIBUTES[String(name)]?.includes(attribute) === true;
      if (!isAllowed || (attribute in SCHEMES && !isAddress(attribute, value))) faults.push(tag);
    }
    return '';
  });
  return /[<>]/.test(text) ? [...faults, text] : faults;
}

/** Control characters are refused. */
function cleanOf(attack: string): string | undefined {
  const { success, data } = field.safeParse(attack);
  return success ? data : undefined;
}

it.each(ATTACKS)('refuses or disarms %j', (attack) => {
  for (const source of [
    attack,
    `<p>before ${attack} after</p>`,
    `<a href="${attack}">x</a>`,
    `<img alt='${attack}'>`,
  ]) {
    const clean = cleanOf(source) ?? '';
    expect(faultsOf(clean)).toEqual([]);
    // An editor sends cleaned HTML again.
    expect(faultsOf(cleanOf(clean) ?? 'refused <')).toEqual([]);
    expect(faultsOf(cutDescription(clean, 20))).toEqual([]);
  }
});

it('disarms all of them behind each other, and each beginning of a text', () => {
  const all = ATTACKS.join('\n');
  for (let length = 1; length < all.length; length += 37) {
    const { html } = cleanBeginning(all, length);
    expect(faultsOf(html)).toEqual([]);
  }
});

it.each([
  ['<script>alert(1)</script>'],
  ['<p onclick="x()">a</p>'],
  ['<a href="javascript:x()">a</a>'],
  ['<img src="data:image/png;base64,AA">'],
  ['<img src="mailto:a@x.example">'],
  ['<a href="//evil.example">a</a>'],
  ['<a href="/\\evil.example">a</a>'],
  ['<p>a < b</p>'],
  ['<p title="x>y">a</p>'],
  ['<a href=https://x.example>a</a>'],
])('finds what is not plain in %s', (html) => {
  expect(faultsOf(html)).not.toEqual([]);
});
