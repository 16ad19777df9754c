import { html } from './html.js';

it('escapes what is put in, also in attributes and lists, and not what is markup already', () => {
  const attack = `"><script>alert('1')</script>&`;
  const { text } = html`<p title="${attack}">${attack}${html`<b>${1}</b>`}${[html`<i></i>`, '<']}</p>`;
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;';
  expect(text).toBe(`<p title="${escaped}">${escaped}<b>1</b><i></i>&lt;</p>`);
});

it('leaves out what is absent, and not what is nought', () => {
  expect(html`${undefined}${false}${0}`.text).toBe('0');
});

it('refuses what only has the shape of markup, which the compiler lets pass', () => {
  const forged = { text: '<script>' };
  expect(() => html`${forged}`).toThrow(TypeError);
});
