import { containsWord, wordsOf } from './search.policy.js';

it('searches by the index, then for the word as it stands, in any case of any script and in each database', () => {
  expect(containsWord(`(name || ' ' || slug)`, '$2')).toBe(
    `search_key((name || ' ' || slug)) ~ search_pattern($2) and ` +
      `strpos(lower((name || ' ' || slug) collate "pg_c_utf8"), lower($2 collate "pg_c_utf8")) > 0`,
  );
});

it.each([
  ['', []],
  ['  ', []],
  ['one', ['one']],
  [' one\ttwo  one\u3000three ', ['one', 'two', 'three']],
])('splits %j into words', (q, words) => {
  expect(wordsOf(q)).toEqual(words);
});
