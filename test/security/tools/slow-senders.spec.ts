import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { startSecondGateway, type SecondGateway } from '../../stack/second-gateway.js';
import { GATEWAY, META, call, host, outcome, send, sourceIn } from './attack.js';

/** Streams of one caller: what docs/tools.md says. */
const STREAMS = 8;
const HALF_OPEN = 300;

const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** A connection of which the test decides what is sent when. */
async function opened(gateway = GATEWAY): Promise<{ socket: Socket; heard: () => string; ended: Promise<unknown> }> {
  const { hostname, port } = new URL(gateway);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  // A server that has had enough may reset.
  socket.on('error', () => undefined);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, heard: () => text, ended };
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

/** What a slow sender begins with, and what it goes on with all the time. */
const SLOW: Readonly<Record<string, readonly [begun: string, more: string]>> = {
  'a body byte by byte': [head(sourceIn(73), 'Content-Length: 100000'), ' '],
  'chunks of one byte': [head(sourceIn(73), 'Transfer-Encoding: chunked'), '1\r\n \r\n'],
  'a head byte by byte': ['POST /mcp HTTP/1.1\r\n', 'X'],
  'half a body': [`${head(sourceIn(73), 'Content-Length: 1000')}{"jsonrpc":`, ''],
  'half a chunk': [`${head(sourceIn(73), 'Transfer-Encoding: chunked')}9\r\n{"json`, ''],
  'half a head': ['POST /mcp HTTP/1.1\r\nHost: ', ''],
  nothing: ['', ''],
};

// What it waits for unless told otherwise, as docs/tools.md says, is in the gateway's own suites.
describe('a gateway that waits for a second', () => {
  let gateway: SecondGateway;
  beforeAll(async () => {
    gateway = await startSecondGateway({ REQUEST_TIMEOUT_MS: '1000' });
    await served(gateway.url);
  });
  afterAll(() => gateway?.stop());

  it('ends whoever sends slowly or stops sending; others are served all the time', async () => {
    const senders = await Promise.all(
      Object.entries(SLOW).map(async ([what, [begun, more]]) => {
        const connection = await opened(gateway.url);
        connection.socket.write(begun);
        return { what, more, ...connection };
      }),
    );
    // Something comes all the time, so these are no connections that are idle.
    const sendMore = (): void => {
      for (const { socket, more, heard } of senders) if (heard() === '' && socket.writable) socket.write(more);
    };
    // After what has come is read: a write that fails would throw the answer away.
    const drip = setInterval(() => setImmediate(sendMore), 50);
    try {
      await served(gateway.url);
      await Promise.all(senders.map(({ ended }) => ended));
      await served(gateway.url);
    } finally {
      clearInterval(drip);
    }
    const answers = senders.map(({ what, heard }) => [what, heard().split('\r\n')[0]]);
    expect(answers).toEqual(Object.keys(SLOW).map((what) => [what, 'HTTP/1.1 408 Request Timeout']));
  });
});

it('hundreds of connections that never finish what they began do not stop others', async () => {
  const begun = await Promise.all(
    Array.from({ length: HALF_OPEN }, async (_none, i) => {
      const { socket } = await opened();
      const whole = head(sourceIn(73), 'Content-Length: 1000');
      // A third has said nothing, a third half a head, a third half a body.
      if (i % 3 !== 0) socket.write(i % 3 === 1 ? whole.slice(0, 60) : `${whole}{"jsonrpc":`);
      return socket;
    }),
  );
  await Promise.all(Array.from({ length: 10 }, served));
  expect(begun.filter((socket) => socket.readyState === 'open')).toHaveLength(HALF_OPEN);
  for (const socket of begun) socket.destroy();
});

it.each<[string, string, string]>([
  ['less than it says', 'Content-Length: 10', '{"jsonrpc":"2.0"}'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3', '{} '],
  ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
  ['a length that is none', 'Content-Length: -1', '{}'],
  ['a chunk that is none', 'Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n'],
])('a body with %s is refused, and what follows is no second request', async (_what, length, body) => {
  const { socket, heard, ended } = await opened();
  socket.write(head(sourceIn(73), length) + body);
  socket.end();
  await ended;
  expect(heard()).toMatch(/^HTTP\/1\.1 400 /);
  expect(heard()).not.toMatch(/HTTP\/1\.1 2/);
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
    while (!connection.heard().includes('\r\n\r\n')) await once(connection.socket, 'data');
    return connection;
  }
  const statusOf = (text: string): string | undefined => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];

  it('one caller may have eight; the ninth is told to wait, others are not; one that ends makes room', async () => {
    const source = sourceIn(74);
    const open = [];
    for (let id = 1; id <= STREAMS; id += 1) open.push(await listen(source, id));
    expect(open.map(({ heard }) => statusOf(heard()))).toEqual(open.map(() => '200'));

    const ninth = await listen(source, 9);
    expect(statusOf(ninth.heard())).toBe('429');
    expect(ninth.heard()).toMatch(/retry-after: \d+/i);
    // What the caller asks for besides is served, and so are others.
    expect((await send('modern', { method: 'tools/list' }, { source })).status).toBe(200);
    const other = await listen('203.0.113.250', 1);
    expect(statusOf(other.heard())).toBe('200');

    open[0]!.socket.destroy();
    let again: string | undefined;
    for (let id = 10; again !== '200' && id < 40; id += 1) again = statusOf((await listen(source, id)).heard());
    expect(again).toBe('200');
  });
});
