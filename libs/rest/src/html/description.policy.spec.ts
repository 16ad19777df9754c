import { cleanDescription, cutDescription } from './description.policy.js';

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
  ['drops images that are not https', '<img src="data:text/html,x"><img src="//x.example/a.png">', '<img /><img />'],
  ['drops frames and forms, and keeps their text', '<iframe src="https://x"></iframe><form>a</form>', 'a'],
  ['drops foreign content', '<svg><script>1</script></svg><math>a</math>', 'a'],
  ['leaves nothing of a broken tag', '<img src=x onerror=alert(1)//', ''],
  ['escapes what only looks like a tag', '1 < 2 &lt;b&gt;', '1 &lt; 2 &lt;b&gt;'],
])('%s', (_rule, html, clean) => {
  expect(cleanDescription(html)).toBe(clean);
});

it('keeps clean HTML unchanged', () => {
  const once = cleanDescription('<p>a &amp; b <a href="https://x.example/?a=1&b=2">c</a></p>');
  expect(cleanDescription(once)).toBe(once);
});

it('closes open elements of a cut description, and splits no character', () => {
  expect(cutDescription('<p><strong>abcdef</strong></p>', 14)).toBe('<p><strong>abc</strong></p>');
  expect(cutDescription('<p>ab😀</p>', 6).isWellFormed()).toBe(true);
  expect(cutDescription('<p>ab</p>', 9)).toBe('<p>ab</p>');
});
