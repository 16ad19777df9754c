import { queryOf } from './query-of.js';

it.each([
  ['/courses', ''],
  ['/courses?', ''],
  ['/courses?limit=1', 'limit=1'],
  ['/courses?q=why?&limit=1', 'q=why?&limit=1'],
])('returns the query of %s', (url, query) => {
  expect(queryOf(url)).toBe(query);
});
