import { startMemberApi } from './member-api.js';
import type { ReceivedResponse, TestApi } from './member-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startMemberApi();
});
afterAll(() => api.stop());

const LIMIT = 256 * 1024;
const RESPONSE_TYPE = 'application/graphql-response+json';
const code = ({ body }: ReceivedResponse) => body.errors?.[0]?.extensions.code;
const send = (body: unknown, headers: Record<string, string> = {}) => api.query('', { body, headers });

describe('a body', () => {
  it.each([
    ['is no JSON', '{"query":'],
    ['is empty', ''],
    ['is a batch', [{ query: '{ __typename }' }]],
    ['is a batch of one thousand', Array.from({ length: 1_000 }, () => ({ query: '{ __typename }' }))],
    ['is an empty batch', []],
    ['has a brace too many', '{"query":"{ __typename }"}}'],
    ['is a NUL', '\u0000'],
    ['is a string', '"{ __typename }"'],
    ['is null', 'null'],
    ['is an object without a query', {}],
    ['has no query but variables', { variables: {} }],
    ['has a query that is no string', { query: 1 }],
    ['has a query that is an object', { query: { kind: 'Document' } }],
    ['has a query that is a list', { query: ['{ __typename }'] }],
    ['has an empty query', { query: '' }],
    ['has variables that are no object', { query: '{ __typename }', variables: 'x' }],
    ['has variables that are a list', { query: '{ __typename }', variables: [] }],
    ['has an operation name that is no string', { query: '{ __typename }', operationName: 1 }],
    ['poisons a prototype', '{"query":"{ __typename }","__proto__":{"a":1}}'],
  ])('returns 400 for a body that %s, with any Accept header', async (_what, body) => {
    for (const accept of ['application/json', RESPONSE_TYPE]) {
      const response = await send(body, { accept });
      expect([response.status, code(response)]).toEqual([400, 'INVALID_REQUEST']);
      expect(response.body.data).toBeUndefined();
    }
  });

  it.each([
    ['the limit itself', 0, 200],
    ['one byte more', 1, 413],
  ])('limits a body to 256 kB: %s', async (_what, more, status) => {
    const body = JSON.stringify({ query: '{ __typename }', extensions: {} });
    const response = await send(body + ' '.repeat(LIMIT - body.length + more));
    expect(response.status).toBe(status);
    expect(code(response)).toBe(status === 413 ? 'PAYLOAD_TOO_LARGE' : undefined);
  });

  it.each([
    ['the limit itself', 64, 200],
    ['one level more', 65, 400],
    ['very many levels', 50_000, 400],
  ])('limits a body to 64 levels: %s', async (_what, levels, status) => {
    const nested = `${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}`;
    const response = await send(`{"query":"{ __typename }","variables":{"a":${nested}}}`);
    expect([response.status, code(response)]).toEqual([status, status === 400 ? 'INVALID_REQUEST' : undefined]);
  });

  it.each([
    'text/plain',
    'text/plain; application/json',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ])('returns 415 for the content type %j', async (type) => {
    const response = await send('{"query":"{ __typename }"}', { 'content-type': type });
    expect([response.status, code(response)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('accepts a charset, null variables and an operation name', async () => {
    const body = { query: 'query A { __typename }', variables: null, operationName: 'A', extensions: null };
    const response = await send(body, { 'content-type': 'application/json; charset=UTF-8' });
    expect([response.status, response.body.data]).toEqual([200, { __typename: 'Query' }]);
  });
});

describe('the status of an error of the request', () => {
  const requests: [string, unknown, string][] = [
    ['a syntax error', { query: '{ viewer {' }, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', { query: '{ viewer { password } }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['an unknown operation', { query: 'query A { __typename }', operationName: 'B' }, 'OPERATION_RESOLUTION_FAILURE'],
    ['a subscription', { query: 'subscription { viewer { id } }' }, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'several operations without a name',
      { query: 'query A { __typename } query B { __typename }' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'a variable of the wrong type',
      { query: 'query ($n: Int!) { viewer { enrolledCourses(first: $n) { totalCount } } }', variables: { n: 'x' } },
      'VALIDATION_FAILED',
    ],
    [
      'a variable that is missing',
      { query: 'query ($n: Int!) { viewer { enrolledCourses(first: $n) { totalCount } } }' },
      'VALIDATION_FAILED',
    ],
  ];

  it.each(requests)('returns 400 under application/graphql-response+json: %s', async (_what, body, expected) => {
    const response = await send(body, { accept: RESPONSE_TYPE });
    expect([response.status, code(response)]).toEqual([400, expected]);
    expect(response.headers['content-type']).toBe(`${RESPONSE_TYPE}; charset=utf-8`);
    expect(response.body).not.toHaveProperty('data');
  });

  it.each(requests)('returns 200 under application/json: %s', async (_what, body, expected) => {
    const response = await send(body, { accept: 'application/json' });
    expect([response.status, code(response)]).toEqual([200, expected]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.body).not.toHaveProperty('data');
  });

  it('returns 200 for a field error under both media types', async () => {
    for (const accept of ['application/json', RESPONSE_TYPE]) {
      const response = await api.query('{ viewer { id } }', { headers: { accept } });
      expect([response.status, code(response), response.body.data]).toEqual([200, 'NOT_FOUND', { viewer: null }]);
    }
  });

  it('adds requestId to every error', async () => {
    for (const [, body] of requests) {
      const response = await send(body, { 'x-request-id': 'my-request' });
      expect(response.body.errors?.map(({ extensions }) => extensions.requestId)).toEqual(['my-request']);
      expect(response.headers['x-request-id']).toBe('my-request');
    }
  });
});

describe('introspection', () => {
  it('allows introspection with a token', async () => {
    const response = await api.query(
      '{ __schema { types { name fields { name args { name type { name ofType { name } } } } } } }',
    );
    expect(response.body.errors).toBeUndefined();
    expect(response.body.data.__schema.types.map(({ name }: { name: string }) => name)).toContain('Viewer');
  });

  it('limits the nesting of introspection', async () => {
    const nested =
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }';
    expect(code(await api.query(nested))).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});
