import { memberToken, sendRaw } from './attack.js';

const MARK = 'mutation { markAllNotificationsRead { markedCount } }';
const VIEWER = '{ viewer { id } }';

let authorization: string;
beforeAll(async () => {
  authorization = `Bearer ${await memberToken()}`;
});

describe('a request that a browser sends without a preflight', () => {
  it.each([
    ['a form', 'application/x-www-form-urlencoded', `query=${encodeURIComponent(MARK)}`],
    ['plain text', 'text/plain', JSON.stringify({ query: MARK })],
    ['plain text that claims to be JSON', 'text/plain; application/json', JSON.stringify({ query: MARK })],
    [
      'a form with files',
      'multipart/form-data; boundary=x',
      `--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${JSON.stringify({ query: MARK })}\r\n--x--\r\n`,
    ],
    ['the bare document', 'application/graphql', MARK],
    ['a body without a type', '', JSON.stringify({ query: MARK })],
  ])('returns 415 to a request that needs no preflight: %s', async (_what, type, body) => {
    const headers = { authorization, ...(type === '' ? {} : { 'content-type': type }) };
    const { status, data } = await sendRaw({ method: 'POST', headers, body });
    expect([status, data]).toEqual([415, undefined]);
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE'])('returns 405 for %s', async (method) => {
    const path = `/member/graphql?query=${encodeURIComponent(MARK)}`;
    const { status, headers } = await sendRaw({ method, headers: { authorization } }, undefined, path);
    expect([status, headers['allow']]).toEqual([405, 'POST']);
  });

  it('gets no CORS credentials and no cookies', async () => {
    const { headers } = await sendRaw({
      headers: { authorization, origin: 'https://evil.example' },
      json: { query: VIEWER },
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['set-cookie']).toBeUndefined();
  });
});

describe('a body that is not one request', () => {
  const operation = { query: VIEWER };
  it.each<readonly [string, unknown]>([
    ['a batch', [operation, operation]],
    ['a batch of one', [operation]],
    ['an empty batch', []],
    ['a batch of a thousand', Array.from({ length: 1_000 }, () => operation)],
    ['a text', VIEWER],
    ['null', null],
    ['no query', {}],
    ['a query that is no text', { query: { viewer: true } }],
    ['a query that is a list', { query: [VIEWER] }],
    ['variables that are no object', { query: VIEWER, variables: 'x' }],
    ['an operation name that is no text', { query: VIEWER, operationName: {} }],
  ])('returns 400 for a body that is not one request: %s', async (_what, body) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const { status, data } = await sendRaw({ method: 'POST', headers, body: JSON.stringify(body) });
    expect([status, data]).toEqual([400, undefined]);
  });

  it.each(['{', '', '{"query":"{ viewer { id } }"}}', '\u0000', '{"__proto__":{"query":"{ viewer { id } }"}}'])(
    'returns 400 for a body that is no JSON: %j',
    async (body) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const { status, data } = await sendRaw({ method: 'POST', headers, body });
      expect([status, data]).toEqual([400, undefined]);
    },
  );
});
