import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { problemOf, startUnderTest } from './service-under-test.js';
import type { ServiceUnderTest } from './service-under-test.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startUnderTest();
});
afterAll(() => service.close());

const get = (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init);
const post = (body: string, type = 'application/json', headers: Record<string, string> = {}) =>
  get('/things', { method: 'POST', body, headers: { 'content-type': type, ...headers } });

describe('a refused request', () => {
  it('returns a 404 problem for an unknown path, without its query', async () => {
    const response = await get('/nothing/here?code=hunter2');
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await problemOf(response)).toEqual({
      type: '/docs/errors/not_found',
      title: 'Not found',
      status: 404,
      detail: 'There is nothing at this path.',
      instance: '/nothing/here',
      code: 'not_found',
      request_id: response.headers.get('x-request-id'),
    });
  });

  it.each([
    ['/things', 'GET', 'POST'],
    ['/things/7', 'DELETE', 'GET, HEAD'],
    ['/things/7?x=1', 'POST', 'GET, HEAD'],
    ['/things/?x=1', 'GET', 'POST'],
  ])('returns a 405 problem with Allow: %s does not take %s', async (path, method, allow) => {
    const response = await get(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(await problemOf(response)).toMatchObject({ code: 'method_not_allowed' });
  });

  it('returns a 404 problem with a request id for a target without a path', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write('OPTIONS * HTTP/1.1\r\nHost: x\r\nX-Request-Id: star\r\nConnection: close\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toContain('HTTP/1.1 404 ');
    expect(answer).toContain('x-request-id: star');
  });

  it('returns a 404 problem for an empty path segment', async () => {
    expect((await get('/things//')).status).toBe(404);
  });

  it.each([
    ['cut off', '{"a":'],
    ['empty', ''],
    ['no JSON', 'a=b'],
    ['a poisoned prototype', '{"a":{"__proto__":{"admin":true}}}'],
    ['a poisoned constructor', '{"constructor":{"prototype":{"admin":true}}}'],
  ])('returns a 400 problem when the body is %s', async (_case, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    const problem = await problemOf(response);
    expect(problem['code']).toBe('invalid_request');
    expect(problem['detail']).toMatch(/^The body is (not well-formed JSON|empty, but its media type says JSON)\.$/);
  });

  it.each([
    ['lists', '[', '0', ']'],
    ['objects', '{"a":', '0', '}'],
    ['lists within objects', '{"a":[', '0', ']}'],
  ])('returns a 400 problem when %s nest deeper than 64 levels', async (_case, open, inner, close) => {
    const each = open.match(/[[{]/g)?.length ?? 0;
    const nested = (levels: number) => `${open.repeat(levels / each)}${inner}${close.repeat(levels / each)}`;
    expect((await post(nested(64))).status).toBe(200);
    // The wider body is one level deeper, for each kind of last level.
    const response = await post(`[${nested(64)}]`);
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({
      code: 'invalid_request',
      detail: 'The body may have at most 64 levels of lists and objects.',
      errors: [{ pointer: '', code: 'too_deep' }],
    });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'])(
    'returns a 415 problem when the body is %s',
    async (type) => {
      const response = await post('{}', type);
      expect(response.status).toBe(415);
      expect(Object.values(await problemOf(response)).join()).toMatch(/unsupported_media_type.*Content-Type: app/);
    },
  );

  it('returns a 413 problem one byte above the limit, and none at it', async () => {
    const bodyOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
    expect((await post(bodyOf(1_000))).status).toBe(200);
    const response = await post(bodyOf(1_001));
    expect(response.status).toBe(413);
    expect(await problemOf(response)).toMatchObject({ code: 'payload_too_large' });
  });

  it('delivers the response while most of the body is in transit', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const answer = text(socket);
    const body = Buffer.alloc(4 * 1024 * 1024, 'a');
    const head = `POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    socket.write(head);
    socket.write(body);
    // On the same connection, which was not closed.
    socket.write('GET /nothing HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    const statuses = [...(await answer).matchAll(/HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect(statuses).toEqual(['413', '404']);
  });

  it('delivers the response while megabytes follow in chunks, and serves the next request', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const answer = text(socket);
    const piece = `${(65_536).toString(16)}\r\n${'a'.repeat(65_536)}\r\n`;
    socket.write(
      `POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    for (let sent = 0; sent < 4 * 1024 * 1024; sent += 65_536) {
      if (!socket.write(piece)) await once(socket, 'drain');
    }
    socket.write('0\r\n\r\nGET /nothing HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    const statuses = [...(await answer).matchAll(/HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect(statuses).toEqual(['413', '404']);
  });

  it('closes the connection of a client that sends more than 8 MiB in chunks', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const piece = `${(65_536).toString(16)}\r\n${'a'.repeat(65_536)}\r\n`;
    socket.write(
      `POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    socket.setEncoding('utf8').write(piece);
    const [first] = (await once(socket, 'data')) as [string];
    expect(first).toMatch(/^HTTP\/1\.1 413 /);
    for (let sent = 0; sent < 129; sent += 1) socket.write(piece);
    await closed;
  });

  it('confirms the close to a client that requested it', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const answer = text(socket);
    const body = Buffer.alloc(1_001, 'a');
    const head = `POST /things HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: ${body.length}\r\n\r\n`);
    socket.write(body);
    expect(await answer).toMatch(/^HTTP\/1\.1 413[^]*\r\nconnection: close\r\n/i);
  });

  it('returns a 413 problem for a body without a length', async () => {
    const stream = new Blob(['"', 'x'.repeat(2_000), '"']).stream();
    const init = { method: 'POST', body: stream, duplex: 'half', headers: { 'content-type': 'application/json' } };
    expect((await get('/things', init as RequestInit)).status).toBe(413);
  });

  it.each([
    ['/things/%zz', 'The path is not well-formed.'],
    [`/things/${'x'.repeat(257)}`, 'A part of the path is too long.'],
  ])('returns a 400 problem for %s', async (path, detail) => {
    const response = await get(path);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-request-id')).toMatch(UUID);
    expect(await problemOf(response)).toMatchObject({ code: 'invalid_request', detail });
  });

  it('returns a 400 problem when a Nest pipe rejects it', async () => {
    const response = await get('/things/7');
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({ code: 'invalid_request' });
  });

  it.each([
    ['bytes that are no HTTP', 'hello\r\n\r\n', 400],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a head that is too large', `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('returns a problem for %s', async (_case, bytes, status) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(bytes);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toContain('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request', status });
  });
});

describe('an accepted body', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'])(
    'contains JSON of the type %s',
    async (type) => {
      const response = await post('{"a":[1]}', type);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ body: { a: [1] } });
    },
  );
});

describe('what a handler throws', () => {
  it('maps an ApiError to its problem', async () => {
    const response = await get('/things/end/outcome');
    expect(response.status).toBe(409);
    expect(response.headers.get('x-own')).toBe('yes');
    expect(await problemOf(response)).toMatchObject({
      code: 'already_exists',
      detail: 'A thing has this name.',
      errors: [{ pointer: '/name', code: 'already_exists', detail: 'Taken.' }],
    });
  });

  it('rounds Retry-After of an unavailability to whole seconds', async () => {
    const response = await get('/things/end/unavailable');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('3');
  });

  it('returns 503 when the database refused the connection, without its address', async () => {
    const response = await get('/things/end/refused');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.text()).not.toContain('10.1.2.3');
  });

  it('hides an unexpected error and logs it with its cause and request id', async () => {
    const response = await get('/things/end/fault', { headers: { 'x-request-id': 'fault-1' } });
    expect(response.status).toBe(500);
    const problem = await problemOf(response);
    expect(JSON.stringify(problem)).not.toContain('inside');
    expect(problem).toMatchObject({ code: 'internal', request_id: 'fault-1' });
    expect(service.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        request_id: 'fault-1',
        err: expect.objectContaining({
          message: 'the inside',
          cause: expect.objectContaining({ message: 'the very inside' }),
        }),
      }),
    );
  });

  it('closes the connection when part of the response was sent', async () => {
    const response = await get('/things/end/half');
    await expect(response.text()).rejects.toThrow('terminated');
  });
});

describe('the request context', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';

  it('reaches a handler after a body, with the ids of the caller', async () => {
    const response = await get('/things', {
      method: 'POST',
      body: '{}',
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'caller-1',
        traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
      },
    });
    expect(response.headers.get('x-request-id')).toBe('caller-1');
    expect(await response.json()).toMatchObject({ request: { requestId: 'caller-1', traceId: TRACE } });
  });

  it('reaches a handler after a chunked body, on a reused connection', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const head = (id: string) =>
      `POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Request-Id: ${id}\r\n`;
    socket.write(`${head('piece-1')}Content-Length: 2\r\n\r\n{}`);
    await sleep(20); // The parts arrive in packets of their own.
    socket.write(`${head('piece-2')}Connection: close\r\nContent-Length: 7\r\n\r\n{"a`);
    await sleep(20);
    socket.write('":1}');
    const responses = await text(socket);
    expect(responses).toContain('"requestId":"piece-1"');
    expect(responses).toContain('"requestId":"piece-2"');
  });

  it('differs between concurrent requests', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `many-${index}`);
    const responses = await Promise.all(
      ids.map(async (id) => (await post('{}', undefined, { 'x-request-id': id })).json()),
    );
    expect(responses.map((answer) => (answer as { request: { requestId: string } }).request.requestId)).toEqual(ids);
  });

  it('replaces an invalid id of the caller', async () => {
    const response = await get('/nothing', { headers: { 'x-request-id': 'a b' } });
    expect(response.headers.get('x-request-id')).toMatch(UUID);
  });
});
