import { withoutTrailingSlash } from './trailing-slash.js';

it.each([
  ['/mcp/', '/mcp'],
  ['/mcp/?a=/', '/mcp?a=/'],
  ['/api/v1/courses/#x/', '/api/v1/courses#x/'],
])('shortens %s to %s', (url, shortened) => {
  expect(withoutTrailingSlash(url)).toBe(shortened);
});

it.each(['/', '//', '/mcp', '/mcp//', '/mcp?next=/a/', '/?a=/', '*', '', 'http://other.example/mcp/'])(
  'keeps %s',
  (url) => {
    expect(withoutTrailingSlash(url)).toBe(url);
  },
);

it('takes a long path in linear time', () => {
  const long = `/${'a/'.repeat(8_000)}?`;
  const began = performance.now();
  for (let turn = 0; turn < 100; turn += 1) withoutTrailingSlash(long);
  expect(performance.now() - began).toBeLessThan(2_000);
});
