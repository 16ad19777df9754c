import { readPageArguments } from './page-arguments.policy.js';

const page = { size: 20, backward: false, after: null, before: null };
const refused = (code: string, ...errors: unknown[]) =>
  expect.objectContaining({ extensions: { code, errors: errors.map((error) => expect.objectContaining(error)) } });

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
  ])('reads the arguments %j as %j', (given, expected) => {
    expect(readPageArguments(given)).toEqual(expected);
  });

  it.each([
    [{ first: 0 }, 'first', 'too_small'],
    [{ first: 101 }, 'first', 'too_large'],
    [{ first: -1 }, 'first', 'too_small'],
    [{ last: 0 }, 'last', 'too_small'],
    [{ last: 101 }, 'last', 'too_large'],
  ])('rejects the out-of-range arguments %j', (given, parameter, code) => {
    expect(() => readPageArguments(given)).toThrow(refused('FIRST_OUT_OF_RANGE', { parameter, code }));
  });

  it('rejects first together with last', () => {
    expect(() => readPageArguments({ first: 1, last: 1 })).toThrow(
      refused('VALIDATION_FAILED', { parameter: 'last', code: 'invalid_value' }),
    );
  });
});
