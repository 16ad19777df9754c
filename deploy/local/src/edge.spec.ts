import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEdge, type Edge } from './edge.js';
import { Upstreams } from './upstreams.js';

/** The handler of the service; each test sets one. */
let serve: RequestListener;
let service: Server;
let edge: Edge;
let seen: IncomingMessage[];

beforeAll(async () => {
  service = createServer((incoming, answer) => {
    seen.push(incoming);
    serve(incoming, answer);
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const running = Upstreams.at(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  const dead = Upstreams.at('http://127.0.0.1:1');
  edge = await startEdge({
    port: 0,
    addresses: ['127.0.0.1'],
    upstreams: { auth: running, 'admin-api': running, 'member-api': dead, 'mcp-gateway': running },
  });
});
beforeEach(() => {
  seen = [];
  serve = (_incoming, answer) => answer.end('ok');
});
afterAll(async () => {
  await edge.close();
  service.closeAllConnections();
  service.close();
});

const at = (path: string): string => `http://127.0.0.1:${edge.port}${path}`;

/** Sends exactly these bytes. Returns all bytes until the connection ends. */
async function raw(text: string, to = edge): Promise<string> {
  const socket = connect(to.port, '127.0.0.1');
  socket.write(text);
  let received = '';
  for await (const part of socket.setEncoding('utf8')) received += part as string;
  return received;
}

describe('a request at the service', () => {
  it('carries the Host of the client', async () => {
    await raw('GET /mcp HTTP/1.1\r\nHost: school.example:8080\r\nConnection: close\r\n\r\n');
    expect(seen[0]?.headers).toMatchObject({
      host: 'school.example:8080',
      'x-forwarded-host': 'school.example:8080',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '127.0.0.1',
    });
  });

  it('drops the forwarding headers of the client', async () => {
    await fetch(at('/mcp'), {
      headers: {
        'x-forwarded-for': '10.9.8.7',
        'x-forwarded-host': 'other.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-port': '443',
        'x-real-ip': '10.9.8.7',
        forwarded: 'for=10.9.8.7;host=other.example',
      },
    });
    const { headers } = seen[0]!;
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': `127.0.0.1:${edge.port}` });
    expect(headers).toMatchObject({ 'x-forwarded-proto': 'http' });
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['forwarded']));
    expect(headers['x-forwarded-port'] ?? headers['x-real-ip']).toBeUndefined();
  });

  it('drops the hop-by-hop headers of the client', async () => {
    await raw(
      'GET /mcp HTTP/1.1\r\nHost: a\r\nConnection: close, X-Secret\r\nX-Secret: 1\r\nTE: trailers\r\nX-Kept: 2\r\n\r\n',
    );
    const { headers } = seen[0]!;
    expect(headers).toMatchObject({ 'x-kept': '2' });
    expect(headers['x-secret'] ?? headers.te).toBeUndefined();
  });

  it('keeps path, query and body', async () => {
    let body = '';
    serve = (incoming, answer) => {
      incoming.on('data', (part: Buffer) => (body += part.toString()));
      incoming.on('end', () => answer.writeHead(201).end());
    };
    const answer = await fetch(at('/api/v1/courses?cursor=a%2Fb&x=%20'), { method: 'POST', body: 'body ✓' });
    expect(answer.status).toBe(201);
    expect(seen[0]?.url).toBe('/api/v1/courses?cursor=a%2Fb&x=%20');
    expect(body).toBe('body ✓');
  });

  it('reaches the service once, also when the service breaks the connection', async () => {
    serve = (incoming) => incoming.socket.destroy();
    expect((await fetch(at('/api/v1/courses'), { method: 'POST', body: '{}' })).status).toBe(503);
    expect((await fetch(at('/api/v1/courses'))).status).toBe(503);
    expect(seen).toHaveLength(2);
  });
});

describe('a response at the client', () => {
  it('carries the status and every header, repeated ones separately', async () => {
    serve = (_incoming, answer) => {
      answer.setHeader('set-cookie', ['a=1', 'b=2']);
      answer.writeHead(418, { 'x-kept': 'yes' }).end('short and stout');
    };
    const answer = await fetch(at('/oauth/authorize'));
    expect(answer.status).toBe(418);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(answer.headers.get('x-kept')).toBe('yes');
    await expect(answer.text()).resolves.toBe('short and stout');
  });

  it('streams each event at once', async () => {
    const { promise: read, resolve: wasRead } = Promise.withResolvers<void>();
    serve = (_incoming, answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write('data: 1\n\n');
      void read.then(() => answer.end('data: 2\n\n'));
    };
    const reader = (await fetch(at('/mcp'))).body!.getReader();
    const text = async () => Buffer.from((await reader.read()).value ?? []).toString();
    // The service waits for us: without streaming this would never come.
    expect(await text()).toBe('data: 1\n\n');
    wasRead();
    expect(await text()).toBe('data: 2\n\n');
  });

  it('carries no body after HEAD', async () => {
    serve = (_incoming, answer) => answer.writeHead(200, { 'content-length': '5' }).end();
    const answer = await fetch(at('/auth.md'), { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '5']);
  });

  it('reports a problem with Retry-After while the service is down', async () => {
    const answer = await fetch(at('/member/graphql?x=1'), {
      method: 'POST',
      body: '{}',
      headers: { 'x-request-id': 'mine' },
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('www-authenticate')).toBeNull();
    await expect(answer.json()).resolves.toMatchObject({
      status: 503,
      code: 'temporarily_unavailable',
      instance: '/member/graphql',
      request_id: 'mine',
    });
  });

  it('breaks off when the service dies in the middle', async () => {
    serve = (_incoming, answer) => {
      answer.writeHead(200, { 'content-length': '100' });
      answer.write('half', () => answer.destroy());
    };
    const answer = await fetch(at('/mcp'));
    await expect(answer.text()).rejects.toThrow(/terminated/);
  });
});

describe('a client that goes away', () => {
  it('ends the request at the service', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    serve = (_incoming, answer) => {
      answer.writeHead(200).flushHeaders();
      answer.on('close', end);
      start();
    };
    const client = request(at('/mcp')).end();
    client.on('error', () => {});
    await started;
    client.destroy();
    await ended;
    expect(seen).toHaveLength(1);
  });
});

describe('an invalid request', () => {
  it('returns 431 when the head is larger than 16 KiB', async () => {
    const head = (bytes: number) =>
      `GET /mcp HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ${'x'.repeat(bytes)}\r\n\r\n`;
    await expect(raw(head(15_000))).resolves.toMatch(/^HTTP\/1\.1 200 /);
    await expect(raw(head(17_000))).resolves.toMatch(/^HTTP\/1\.1 431 /);
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['two hosts', 'GET /mcp HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
    ['no host', 'GET /mcp HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an absolute target', 'GET http://other.example/mcp HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
    ['two lengths', 'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('returns 400 with %s', async (_case, text) => {
    await expect(raw(text)).resolves.toMatch(/^HTTP\/1\.1 400 /);
    // A request that the edge forwards arrives in a later turn of the event loop.
    await sleep(0);
    expect(seen).toHaveLength(0);
  });
});

describe('a request that arrives slowly', () => {
  const TIMEOUTS = { headMs: 200, requestMs: 400 };
  let impatient: Edge;
  beforeAll(async () => {
    const running = Upstreams.at(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
    const upstreams = { auth: running, 'admin-api': running, 'member-api': running, 'mcp-gateway': running };
    impatient = await startEdge({ port: 0, addresses: ['127.0.0.1'], upstreams, timeouts: TIMEOUTS });
  });
  afterAll(() => impatient.close());

  it.each([
    ['whose head does not end', 'POST /mcp HTTP/1.1\r\nHost: '],
    ['that is never sent', ''],
    ['whose announced body is never sent', 'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n'],
    ['whose chunks do not end', 'POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n'],
  ])('returns 408 for a request %s', async (_case, text) => {
    serve = (incoming, answer) => incoming.resume().on('end', () => answer.end());
    await expect(raw(text, impatient)).resolves.toMatch(/^HTTP\/1\.1 408 /);
  });

  it('receives no second status when its response has begun', async () => {
    serve = (_incoming, answer) => answer.writeHead(413, { 'content-length': '3' }).end('big');
    const text = 'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345';
    await expect(raw(text, impatient)).resolves.toMatch(/^HTTP\/1\.1 413 [^]*\r\n\r\nbig$/);
  });
});

describe('a body that the service refuses before it has arrived', () => {
  const LIMIT = 16 * 1024 * 1024;

  beforeEach(() => {
    serve = (_incoming, answer) => answer.writeHead(413, { 'content-length': '3' }).end('big');
  });

  /**
   * Sends the head and one byte, waits for the response, and then sends the rest. `sent`: the edge has read all of it.
   */
  async function sendAfterResponse(bytes: number): Promise<{ response: string; sent: boolean }> {
    const socket = connect(edge.port, '127.0.0.1');
    socket.setEncoding('utf8').write(`POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes + 1}\r\n\r\n1`);
    const [response] = (await once(socket, 'data')) as [string];
    const sent = await new Promise<boolean>((resolve) => {
      socket.on('error', () => resolve(false)).on('close', () => resolve(false));
      socket.write(Buffer.alloc(bytes), () => {
        // The edge serves the next request of the connection when it has read all of this one.
        socket.once('data', () => resolve(true));
        socket.write('GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n');
      });
    });
    socket.destroy();
    return { response, sent };
  }

  it('arrives up to the limit, so that the client can read the response', async () => {
    expect(await sendAfterResponse(LIMIT)).toEqual({ response: expect.stringMatching(/ 413 /), sent: true });
  });

  it('ends the connection beyond the limit', async () => {
    const bytes = LIMIT + 1;
    expect(await sendAfterResponse(bytes)).toEqual({ response: expect.stringMatching(/ 413 /), sent: false });
  });
});

it('refuses a port that is in use', async () => {
  const one = Upstreams.at('http://127.0.0.1:1');
  const upstreams = { auth: one, 'admin-api': one, 'member-api': one, 'mcp-gateway': one };
  await expect(startEdge({ port: edge.port, addresses: ['127.0.0.1'], upstreams })).rejects.toThrow(/EADDRINUSE/);
});
