import { ratingChange, replaces } from './course-review.policy.js';

const at = (minute: number) => ({ reviewed_at: new Date(Date.UTC(2026, 9, 2, 8, minute)) });

it.each([
  ['a later one', 6, true],
  ['one of the same instant', 5, false],
  ['an older one', 4, false],
])('decides about a review of minute 5 and %s', (_which, minute, expected) => {
  expect(replaces(at(minute), at(5))).toBe(expected);
});

it.each([
  ['counts the first review', 4, undefined, { count: 1, total: 4 }],
  ['adds the difference of a better rating', 5, { rating: 2 }, { count: 0, total: 3 }],
  ['subtracts the difference of a worse rating', 1, { rating: 5 }, { count: 0, total: -4 }],
])('%s', (_what, rating, known, change) => {
  expect(ratingChange({ rating }, known)).toEqual(change);
});
