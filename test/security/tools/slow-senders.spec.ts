import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { GATEWAY, call, host, outcome, sourceIn } from './attack.js';

const HALF_OPEN = 300;

const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** A raw connection: the test decides what to send and when. */
async function opened(): Promise<{ socket: Socket; received: () => string; ended: Promise<unknown> }> {
  const { hostname, port } = new URL(GATEWAY);
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

const served = async (): Promise<void> => {
  expect(outcome(await call('browse_catalog', {}, { source: sourceIn(72) }))).toEqual([200, undefined]);
};

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
