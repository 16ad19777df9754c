import { html } from './html.js';

it('escapes inserted values, also in attributes and lists, but not existing markup', () => {
  const attack = `"><script>alert('1')</script>&`;
  const { text } = html`<p title="${attack}">${attack}${html`<b>${1}</b>`}${[html`<i></i>`, '<']}</p>`;
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;';
  expect(text).toBe(`<p title="${escaped}">${escaped}<b>1</b><i></i>&lt;</p>`);
});

it('omits absent values, but not zero', () => {
  expect(html`${undefined}${false}${0}`.text).toBe('0');
});

it('rejects objects that only have the shape of markup', () => {
  const forged = { text: '<script>' };
  expect(() => html`${forged}`).toThrow(TypeError);
});
