import { OUTCOME_CODES, isOutcomeCode } from './codes.js';
import { Outcome } from './outcome.js';

describe('Outcome', () => {
  it('is an error with a code, the words for the caller, and nothing else by default', () => {
    const outcome = new Outcome('not_found', 'No course has this id.');
    expect(outcome).toBeInstanceOf(Error);
    expect(outcome).toMatchObject({
      name: 'Outcome',
      code: 'not_found',
      message: 'No course has this id.',
      errors: [],
      hint: undefined,
      retryAfter: undefined,
      scopes: [],
      headers: {},
    });
    expect('cause' in outcome).toBe(false);
  });

  it('keeps what it is given', () => {
    const cause = new Error('why');
    const options = {
      errors: [{ pointer: '/name', code: 'too_large', detail: 'At most 200 characters.' } as const],
      hint: 'Shorten the name.',
      retryAfter: 5,
      scopes: ['courses:read'],
      headers: { allow: 'GET' },
      cause,
    };
    expect(new Outcome('validation_failed', 'x', options)).toMatchObject(options);
  });
});

describe('isOutcomeCode', () => {
  it.each(OUTCOME_CODES)('knows %s', (code) => {
    expect(isOutcomeCode(code)).toBe(true);
  });

  it.each(['', 'NOT_FOUND', 'not_found ', 'toString', 'invalid_grant'])('does not know "%s"', (code) => {
    expect(isOutcomeCode(code)).toBe(false);
  });
});
