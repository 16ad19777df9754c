import { markdown } from './markup.js';

it.each([
  ['a `b<c` **d**', '<p>a <code>b&lt;c</code> <strong>d</strong></p>'],
  ['**`a`** b', '<p><strong><code>a</code></strong> b</p>'],
  ['a\n\nb', '<p>a</p><p>b</p>'],
  ['- a\n- `b`', '<ul><li>a</li><li><code>b</code></li></ul>'],
  ['<img src=x>', '<p>&lt;img src=x&gt;</p>'],
])('renders %j as %s', (text, markup) => {
  expect(markdown(text).text.replaceAll(/\n\s*/g, '')).toBe(markup);
});
