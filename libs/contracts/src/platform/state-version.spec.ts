import { isNewerState } from './state-version.js';

it.each([
  ['a later version', { epoch: 1, version: 3 }, { epoch: 1, version: 2 }, true],
  ['the same state', { epoch: 1, version: 2 }, { epoch: 1, version: 2 }, false],
  ['an earlier version', { epoch: 1, version: 1 }, { epoch: 1, version: 2 }, false],
  ['an earlier version of a later epoch', { epoch: 2, version: 1 }, { epoch: 1, version: 9 }, true],
  ['a later version of an earlier epoch', { epoch: 1, version: 9 }, { epoch: 2, version: 1 }, false],
])('compares epochs before versions: %s', (_case, one, other, newer) => {
  expect(isNewerState(one, other)).toBe(newer);
});
