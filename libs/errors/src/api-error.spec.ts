import { API_ERROR_CODES, isApiErrorCode } from './codes.js';
import { ApiError, valuesOf } from './api-error.js';

describe('ApiError', () => {
  it('extends Error by a code and a detail, and nothing else by default', () => {
    const apiError = new ApiError('not_found', 'No course has this id.');
    expect(apiError).toBeInstanceOf(Error);
    expect(apiError).toMatchObject({
      name: 'ApiError',
      code: 'not_found',
      message: 'No course has this id.',
      errors: [],
      hint: undefined,
      retryAfter: undefined,
      scopes: [],
      headers: {},
    });
    expect('cause' in apiError).toBe(false);
  });

  it('keeps its options', () => {
    const cause = new Error('why');
    const options = {
      errors: [{ pointer: '/name', code: 'too_large', detail: 'At most 200 characters.' } as const],
      hint: 'Shorten the name.',
      retryAfter: 5,
      scopes: ['courses:read'],
      headers: { allow: 'GET' },
      cause,
    };
    expect(new ApiError('validation_failed', 'x', options)).toMatchObject(options);
  });
});

describe('isApiErrorCode', () => {
  it.each(API_ERROR_CODES)('accepts %s', (code) => {
    expect(isApiErrorCode(code)).toBe(true);
  });

  it.each(['', 'NOT_FOUND', 'not_found ', 'toString', 'invalid_grant'])('does not know "%s"', (code) => {
    expect(isApiErrorCode(code)).toBe(false);
  });
});

it('returns the values of a list without errors, and throws the first error of another one', () => {
  const refused = ['one', 'two'].map((detail) => new ApiError('not_found', detail));
  expect(valuesOf(['a', 'b'])).toEqual(['a', 'b']);
  expect(() => valuesOf(['a', ...refused])).toThrow('one');
});
