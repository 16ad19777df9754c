import { wantsPage } from './wants-page.js';

it.each<[string | undefined, boolean]>([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML;q=0.5', true],
  ['text/html, application/json;q=0.9', true],
  ['text/html;q=0.8, application/problem+json;q=0.9', false],
  ['text/html, application/json', false],
  ['text/html;q=0', false],
  ['text/html;q=x', false],
  ['*/*', false],
  ['text/*', false],
  ['image/avif,image/webp,*/*', false],
  ['application/problem+json', false],
  ['', false],
  [undefined, false],
  [`text/html,${'x'.repeat(1_000)}`, false],
])('decides whether Accept: %s wants a page: %s', (accept, expected) => {
  expect(wantsPage(accept)).toBe(expected);
});
