import { likePattern, wordsOf } from './search.policy.js';

it.each([
  ['plain', '%plain%'],
  ['100%', String.raw`%100\%%`],
  ['a_b', String.raw`%a\_b%`],
  [String.raw`a\b`, String.raw`%a\\b%`],
])('searches for %s as it stands', (text, pattern) => {
  expect(likePattern(text)).toBe(pattern);
});

it.each([
  ['', []],
  ['  ', []],
  ['one', ['one']],
  [' one\ttwo  one\u3000three ', ['one', 'two', 'three']],
])('splits %j into words', (q, words) => {
  expect(wordsOf(q)).toEqual(words);
});
