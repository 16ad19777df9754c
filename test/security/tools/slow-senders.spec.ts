import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { startSecondGateway, type SecondGateway } from '../../stack/second-gateway.js';
import { GATEWAY, META, call, host, outcome, send, sourceIn } from './attack.js';

/** Streams of one caller, as documented in docs/tools.md. */
const STREAMS = 8;
const HALF_OPEN = 300;

const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** A raw connection: the test decides what to send and when. */
async function opened(gateway = GATEWAY): Promise<{ socket: Socket; received: () => string; ended: Promise<unknown> }> {
  const { hostname, port } = new URL(gateway);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  // The server may reset the connection.
  socket.on('error', () => undefined);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, received: () => text, ended };
}

const head = (source: string, more: string): string =>
  [
    'POST /mcp HTTP/1.1',
    `Host: ${host()}`,
    `X-Forwarded-For: ${source}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    more,
    '\r\n',
  ].join('\r\n');

const served = async (gateway = GATEWAY): Promise<void> => {
  expect(outcome(await call('browse_catalog', {}, { source: sourceIn(72), gateway }))).toEqual([200, undefined]);
};

/** The first bytes of a slow sender, and the bytes that it then repeats. */
const SLOW: Readonly<Record<string, readonly [begun: string, more: string]>> = {
  'a body byte by byte': [head(sourceIn(73), 'Content-Length: 100000'), ' '],
  'chunks of one byte': [head(sourceIn(73), 'Transfer-Encoding: chunked'), '1\r\n \r\n'],
  'a head byte by byte': ['POST /mcp HTTP/1.1\r\n', 'X'],
  'half a body': [`${head(sourceIn(73), 'Content-Length: 1000')}{"jsonrpc":`, ''],
  'half a chunk': [`${head(sourceIn(73), 'Transfer-Encoding: chunked')}9\r\n{"json`, ''],
  'half a head': ['POST /mcp HTTP/1.1\r\nHost: ', ''],
  nothing: ['', ''],
};

// The suites of the gateway cover the default timeout.
describe('a gateway with a request timeout of one second', () => {
  let gateway: SecondGateway;
  beforeAll(async () => {
    gateway = await startSecondGateway({ REQUEST_TIMEOUT_MS: '1000' });
    await served(gateway.url);
  });
  afterAll(() => gateway?.stop());

  it('ends slow and stalled requests with 408, and serves others meanwhile', async () => {
    const senders = await Promise.all(
      Object.entries(SLOW).map(async ([what, [begun, more]]) => {
        const connection = await opened(gateway.url);
        connection.socket.write(begun);
        return { what, more, ...connection };
      }),
    );
    // Bytes arrive all the time, so these connections are not idle.
    const sendMore = (): void => {
      for (const { socket, more, received } of senders) if (received() === '' && socket.writable) socket.write(more);
    };
    // Reads first: a failing write would discard the response.
    const drip = setInterval(() => setImmediate(sendMore), 50);
    try {
      await served(gateway.url);
      await Promise.all(senders.map(({ ended }) => ended));
      await served(gateway.url);
    } finally {
      clearInterval(drip);
    }
    const responses = senders.map(({ what, received }) => [what, received().split('\r\n')[0]]);
    expect(responses).toEqual(Object.keys(SLOW).map((what) => [what, 'HTTP/1.1 408 Request Timeout']));
  });
});

it('serves others beside hundreds of half-open connections', async () => {
  const begun = await Promise.all(
    Array.from({ length: HALF_OPEN }, async (_none, i) => {
      const { socket } = await opened();
      const whole = head(sourceIn(73), 'Content-Length: 1000');
      // A third has sent nothing, a third half a head, a third half a body.
      if (i % 3 !== 0) socket.write(i % 3 === 1 ? whole.slice(0, 60) : `${whole}{"jsonrpc":`);
      return socket;
    }),
  );
  await Promise.all(Array.from({ length: 10 }, served));
  expect(begun.filter((socket) => socket.readyState === 'open')).toHaveLength(HALF_OPEN);
  for (const socket of begun) socket.destroy();
});

it.each<[string, string, string]>([
  ['less than its length', 'Content-Length: 10', '{"jsonrpc":"2.0"}'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3', '{} '],
  ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
  ['an invalid length', 'Content-Length: -1', '{}'],
  ['an invalid chunk', 'Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n'],
])('refuses a body with %s, without parsing the rest as a second request', async (_what, length, body) => {
  const { socket, received, ended } = await opened();
  socket.write(head(sourceIn(73), length) + body);
  socket.end();
  await ended;
  expect(received()).toMatch(/^HTTP\/1\.1 400 /);
  expect(received()).not.toMatch(/HTTP\/1\.1 2/);
});

describe('subscriptions/listen', () => {
  const message = (id: number) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: META },
    });

  async function listen(source: string, id: number) {
    const connection = await opened();
    const text = message(id);
    const era = 'MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen';
    connection.socket.write(`${head(source, `${era}\r\nContent-Length: ${Buffer.byteLength(text)}`)}${text}`);
    while (!connection.received().includes('\r\n\r\n')) await once(connection.socket, 'data');
    return connection;
  }
  const statusOf = (text: string): string | undefined => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];

  it('allows eight streams for each caller, and refuses the ninth with 429 until one ends', async () => {
    const source = sourceIn(74);
    const open = [];
    for (let id = 1; id <= STREAMS; id += 1) open.push(await listen(source, id));
    expect(open.map(({ received }) => statusOf(received()))).toEqual(open.map(() => '200'));

    const ninth = await listen(source, 9);
    expect(statusOf(ninth.received())).toBe('429');
    expect(ninth.received()).toMatch(/retry-after: \d+/i);
    // Other requests of the caller, and other callers, are served.
    expect((await send('modern', { method: 'tools/list' }, { source })).status).toBe(200);
    const other = await listen(sourceIn(76), 1);
    expect(statusOf(other.received())).toBe('200');

    open[0]!.socket.destroy();
    let again: string | undefined;
    for (let id = 10; again !== '200' && id < 40; id += 1) again = statusOf((await listen(source, id)).received());
    expect(again).toBe('200');
  });
});
