import { retrySeconds } from './retry.policy.js';

const RULE = { attempts: 5, firstRetrySeconds: 30, longestRetrySeconds: 200 };

it.each([
  [1, 30],
  [2, 60],
  [3, 120],
  [4, 200],
  [5, null],
  [6, null],
])('waits after %i attempts for %p seconds', (made, seconds) => {
  expect(retrySeconds(made, RULE)).toBe(seconds);
});
