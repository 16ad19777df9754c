import { READ_CHARACTERS, textOf } from './page-text.policy.js';

it('reads the body without scripts and styles', () => {
  const styles = `<style>${'p{}'.repeat(READ_CHARACTERS)}</style>`;
  const html = `<!doctype html><head><title>A</title>${styles}</head><BODY class="b"><p>Hi\0</p><script>no()</script></BODY>`;
  expect(textOf(html)).toEqual({ content_html: '<p>Hi</p>', content_cut: false });
  expect(textOf('<p>No body</p>')).toEqual({ content_html: '<p>No body</p>', content_cut: false });
  expect(textOf('')).toEqual({ content_html: '', content_cut: false });
});

it('cuts a long body, also within a character', () => {
  const text = 'a'.repeat(READ_CHARACTERS - 1);
  expect(textOf(`${text}b`)).toEqual({ content_html: `${text}b`, content_cut: false });
  const { content_html, content_cut } = textOf(`${text}\u{1f600}`);
  expect([content_html.isWellFormed(), content_html.length, content_cut]).toEqual([true, READ_CHARACTERS, true]);
});

it('reads the beginning of a page whose elements nest too deep', () => {
  const beginning = `<p>${'a'.repeat(1_000)}</p>`;
  const { content_html, content_cut } = textOf(beginning + '<div>'.repeat(150));
  expect(beginning.startsWith(content_html.replace('</p>', ''))).toBe(true);
  expect([content_html.length > 500, content_cut]).toEqual([true, true]);
});
