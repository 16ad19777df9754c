import { readPageArguments } from './page-arguments.policy.js';

const page = { size: 20, backward: false, after: null, before: null };
const refused = (code: string) => expect.objectContaining({ extensions: { code } });

describe('the arguments of a connection', () => {
  it.each([
    [{}, page],
    [{ first: null, last: null, after: null }, page],
    [{ first: 1 }, { ...page, size: 1 }],
    [{ first: 100 }, { ...page, size: 100 }],
    [{ last: 1 }, { ...page, size: 1, backward: true }],
    [
      { last: 100, first: null },
      { ...page, size: 100, backward: true },
    ],
    [
      { first: 3, after: 'a', before: 'b' },
      { ...page, size: 3, after: 'a', before: 'b' },
    ],
  ])('%j mean %j', (given, expected) => {
    expect(readPageArguments(given)).toEqual(expected);
  });

  it.each([{ first: 0 }, { first: 101 }, { first: -1 }, { last: 0 }, { last: 101 }])('%j are out of range', (given) => {
    expect(() => readPageArguments(given)).toThrow(refused('FIRST_OUT_OF_RANGE'));
  });

  it('ask for one end only', () => {
    expect(() => readPageArguments({ first: 1, last: 1 })).toThrow(refused('BAD_USER_INPUT'));
  });
});
