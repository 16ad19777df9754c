import { once } from 'node:events';
import { createServer, request, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEdge, type Edge } from './edge.js';
import { eventually } from './eventually.js';
import { Upstreams } from './upstreams.js';

/** Connections of the edge to one replica, and requests of one connection that may wait. */
const [CONNECTIONS, WAITING] = [256, 100];
const [PLACE_MS, UNREAD_MS] = [1_000, 300];

/** The handler of the service; each test sets one. */
let serve: RequestListener;
let service: Server;
let edge: Edge;
/** Paths of the requests that the service has received. */
let seen: string[];

beforeAll(async () => {
  service = createServer((incoming, answer) => {
    seen.push(incoming.url ?? '');
    serve(incoming, answer);
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const running = Upstreams.at(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  edge = await startEdge({
    port: 0,
    addresses: ['127.0.0.1'],
    upstreams: { auth: running, 'admin-api': running, 'member-api': running, 'mcp-gateway': running },
    timeouts: { placeMs: PLACE_MS, unreadMs: UNREAD_MS },
  });
});
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  await edge.close();
  service.closeAllConnections();
  service.close();
});

const url = (): string => `http://127.0.0.1:${edge.port}/mcp`;

/** Sends requests without waiting for responses. */
function pipelined(count: number): Socket {
  const socket = connect(edge.port, '127.0.0.1');
  socket.on('error', () => {});
  const heads = Array.from({ length: count }, (_, index) => `GET /mcp?${index} HTTP/1.1\r\nHost: a\r\n\r\n`);
  socket.write(heads.join(''));
  return socket;
}

describe('a connection', () => {
  it('sends its requests to the service one after the other', async () => {
    const answers: ServerResponse[] = [];
    serve = (_incoming, answer) => answers.push(answer);
    const socket = pipelined(3);
    let received = '';
    socket.setEncoding('utf8').on('data', (part: string) => (received += part));
    for (const number of [0, 1, 2]) {
      await eventually(() => answers.length === number + 1);
      // Time is what is tested: the next request does not follow before the response.
      await sleep(50);
      expect(seen).toHaveLength(number + 1);
      answers[number]?.end(`body ${number}`);
    }
    await eventually(() => received.includes('body 2'));
    expect(received.match(/body \d/g)).toEqual(['body 0', 'body 1', 'body 2']);
    expect(seen).toEqual(['/mcp?0', '/mcp?1', '/mcp?2']);
    socket.destroy();
  });

  it('leaves the service to others when its client does not read', async () => {
    serve = (_incoming, answer) => answer.end(Buffer.alloc(16 * 1024 * 1024));
    const sockets = [1, 2, 3].map(() => pipelined(WAITING).pause());
    await eventually(() => seen.length === sockets.length);
    serve = (_incoming, answer) => answer.end('ok');
    expect(await (await fetch(url())).text()).toBe('ok');
    expect(seen).toHaveLength(sockets.length + 1);
    for (const socket of sockets) socket.destroy();
  });

  it('ends when more than 100 of its requests wait', async () => {
    let answer: ServerResponse | undefined;
    serve = (_incoming, first) => (answer = first);
    const most = pipelined(1 + WAITING).resume();
    await eventually(() => answer !== undefined);
    // Time is what is tested: the connection stays open with as many requests as may wait.
    await sleep(50);
    expect(most.closed).toBe(false);
    most.write('GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(most, 'close');
    expect(seen).toHaveLength(1);
  });
});

describe('a response', () => {
  it('ends at the service when the client reads nothing of it', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    serve = (_incoming, answer) => answer.on('close', end).end(Buffer.alloc(64 * 1024 * 1024));
    const socket = pipelined(1).pause();
    const began = performance.now();
    await ended;
    expect(performance.now() - began).toBeGreaterThanOrEqual(UNREAD_MS);
    socket.destroy();
  });

  it('stays open while a stream has nothing to send', async () => {
    serve = (_incoming, answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      setTimeout(() => answer.end('data: 2\n\n'), 3 * UNREAD_MS);
    };
    expect(await (await fetch(url())).text()).toBe('data: 1\n\ndata: 2\n\n');
  });
});

it('returns 503 soon when all connections to a replica are in use', async () => {
  const answers: ServerResponse[] = [];
  serve = (_incoming, answer) => answers.push(answer);
  const clients = Array.from({ length: CONNECTIONS }, () =>
    request(url(), { agent: false })
      .on('error', () => {})
      .end(),
  );
  await eventually(() => answers.length === CONNECTIONS);
  const began = performance.now();
  const refused = await fetch(url());
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(performance.now() - began).toBeGreaterThanOrEqual(PLACE_MS - 1);
  expect(answers).toHaveLength(CONNECTIONS);
  // A request that waits gets the place of one that ends.
  const next = fetch(url());
  // Until the request waits. A later one finds a free place, so a pause fails no test.
  await sleep(50);
  serve = (_incoming, answer) => answer.end('ok');
  answers[0]?.end();
  expect(await (await next).text()).toBe('ok');
  for (const client of clients) client.destroy();
});
