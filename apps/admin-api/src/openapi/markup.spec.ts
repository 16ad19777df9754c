import { markdown, markup } from './markup.js';

it('escapes what is put in, also in attributes, and leaves markup as it is', () => {
  const name = `<script>"&'`;
  expect(markup`<p title="${name}">${[markup`<b>${name}</b>`, markup`<i>${1}</i>`]}</p>`.text).toBe(
    '<p title="&lt;script&gt;&quot;&amp;&#39;"><b>&lt;script&gt;&quot;&amp;&#39;</b><i>1</i></p>',
  );
});

it.each([
  ['a `b<c` **d**', '<p>a <code>b&lt;c</code> <strong>d</strong></p>'],
  ['a\n\nb', '<p>a</p><p>b</p>'],
  ['- a\n- `b`', '<ul><li>a</li><li><code>b</code></li></ul>'],
  ['<img src=x>', '<p>&lt;img src=x&gt;</p>'],
])('%j is set as %s', (text, markup) => {
  expect(markdown(text).text).toBe(markup);
});
