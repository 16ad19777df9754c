import { FIELD_PROBLEMS, PROBLEMS } from './catalog.js';
import { ERROR_CODES, FIELD_CODES, API_ERROR_CODES, graphqlCode } from './codes.js';
import type { ApiErrorCode } from './codes.js';
import { ApiError } from './api-error.js';
import { PROBLEM_MEDIA_TYPE, toProblem } from './problem.js';

/** Repeated on purpose: a status is a promise to clients, so a change must fail here. */
const STATUSES: Record<ApiErrorCode, number> = {
  invalid_request: 400,
  unknown_parameter: 400,
  invalid_cursor: 400,
  validation_failed: 422,
  invalid_token: 401,
  insufficient_scope: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  already_exists: 409,
  invalid_state: 409,
  resource_in_use: 409,
  quota_exceeded: 409,
  idempotency_in_progress: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unknown_host: 421,
  idempotency_key_reused: 422,
  precondition_required: 428,
  rate_limited: 429,
  temporarily_unavailable: 503,
  internal: 500,
};

const REQUEST = { instance: '/api/v1/courses', requestId: 'request-1', baseUrl: 'https://school.example' };

describe('the catalog of problems', () => {
  it('contains each code once, in lower case', () => {
    const codes = [...ERROR_CODES, ...FIELD_CODES];
    expect([...Object.keys(PROBLEMS), ...Object.keys(FIELD_PROBLEMS)].toSorted()).toEqual(codes.toSorted());
    for (const code of codes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it.each([...Object.entries(PROBLEMS), ...Object.entries(FIELD_PROBLEMS)])(
    'documents %s in sentences',
    (_code, entry) => {
      expect(entry.title).toMatch(/^[A-Z].*[^.]$/);
      for (const text of [entry.meaning, entry.remedy]) expect(text).toMatch(/^[A-Z`].+\.$/);
    },
  );

  it('converts codes to GraphQL constants', () => {
    expect(graphqlCode('not_found')).toBe('NOT_FOUND');
  });

  it.each(API_ERROR_CODES)('maps %s to its status', (code) => {
    expect(PROBLEMS[code].status).toBe(STATUSES[code]);
  });

  it('uses the media type of RFC 9457 §3', () => {
    expect(PROBLEM_MEDIA_TYPE).toBe('application/problem+json');
  });
});

describe('toProblem', () => {
  it.each(API_ERROR_CODES)('sets the members of RFC 9457 for %s', (code) => {
    expect(toProblem(new ApiError(code, 'The words.'), REQUEST)).toMatchObject({
      type: `https://school.example/docs/errors/${code}`,
      title: PROBLEMS[code].title,
      status: STATUSES[code],
      detail: 'The words.',
      instance: '/api/v1/courses',
      code,
      request_id: 'request-1',
    });
  });

  it.each(API_ERROR_CODES)('contains only these members and OAuth’s names for %s', (code) => {
    const members = ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'];
    const oauth = ['invalid_token', 'insufficient_scope', 'temporarily_unavailable'].includes(code);
    const problem = toProblem(new ApiError(code, 'The words.'), REQUEST);
    expect(Object.keys(problem)).toEqual(oauth ? [...members, 'error', 'error_description'] : members);
    if (oauth) expect(problem).toMatchObject({ error: code, error_description: 'The words.' });
  });

  it('sets a relative type when no site is known', () => {
    const { type } = toProblem(new ApiError('unknown_host', 'x'), { instance: '/', requestId: 'request-1' });
    expect(type).toBe('/docs/errors/unknown_host');
  });

  it('includes the field errors when there are any', () => {
    const errors = [{ pointer: '/name', code: 'required', detail: 'Give a name.' }] as const;
    expect(toProblem(new ApiError('validation_failed', 'x', { errors }), REQUEST).errors).toEqual(errors);
    expect(toProblem(new ApiError('validation_failed', 'x', { errors: [] }), REQUEST)).not.toHaveProperty('errors');
  });

  it('includes the hint when there is one', () => {
    const error = new ApiError('invalid_state', 'x', { hint: 'Publish it first' });
    expect(toProblem(error, REQUEST).hint).toBe('Publish it first');
    expect(toProblem(new ApiError('invalid_state', 'x'), REQUEST)).not.toHaveProperty('hint');
  });

  it('omits the cause and the headers', () => {
    const apiError = new ApiError('internal', 'x', {
      cause: new Error('hunter2'),
      headers: { a: 'hunter2' },
    });
    expect(JSON.stringify(toProblem(apiError, REQUEST))).not.toContain('hunter2');
  });
});
