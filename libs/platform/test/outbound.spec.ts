import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { OutboundConnections, OutboundNetwork, sendOutbound } from '../src/http/outbound-request.js';

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

const ACCEPT: Responder = (_request, response) => void response.end('yes');

let server: Server;
let respond: Responder = ACCEPT;
let connected = 0;
const bodies: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      respond(request, response);
    });
  });
  server.on('connection', () => (connected += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  respond = ACCEPT;
  connected = 0;
  bodies.length = 0;
});

/** Resolves each name to the server of the test, as long as it is permitted. */
class TestNetwork extends OutboundNetwork {
  resolutions = 0;
  isPermitted = true;

  override resolve(): Promise<readonly string[]> {
    this.resolutions += 1;
    return Promise.resolve(['127.0.0.1']);
  }

  override permits(): boolean {
    return this.isPermitted;
  }
}

const connections = new OutboundConnections();
afterEach(() => connections.close());

async function post(network: OutboundNetwork, more: { connections?: OutboundConnections } = { connections }) {
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://receiver.example:${port}/hook`);
  const signal = AbortSignal.timeout(5_000);
  const response = await sendOutbound(network, { url, method: 'POST', headers: {}, body: 'one', signal, ...more });
  return text(response);
}

it('takes a connection for each request by default', async () => {
  const network = new TestNetwork();
  for (let sent = 0; sent < 3; sent += 1) expect(await post(network, {})).toBe('yes');
  expect([connected, network.resolutions]).toEqual([3, 3]);
});

it('keeps a connection, and resolves the name for each request', async () => {
  const network = new TestNetwork();
  for (let sent = 0; sent < 3; sent += 1) expect(await post(network)).toBe('yes');
  expect([connected, network.resolutions]).toEqual([1, 3]);
});

it('uses no open connection to an address that is not permitted any more', async () => {
  const network = new TestNetwork();
  await post(network);
  network.isPermitted = false;
  await expect(post(network)).rejects.toThrow('receiver.example resolves to 127.0.0.1, which is not public');
  expect(bodies).toHaveLength(1);
});

it('sends again when the server has ended the kept connection', async () => {
  const network = new TestNetwork();
  await post(network);
  respond = (request) => {
    respond = ACCEPT;
    request.socket.destroy();
  };
  expect(await post(network)).toBe('yes');
  expect([bodies, connected]).toEqual([['one', 'one', 'one'], 2]);
});

it('fails when the server ends a new connection', async () => {
  respond = (request) => void request.socket.destroy();
  await expect(post(new TestNetwork())).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(bodies).toHaveLength(1);
});

it('fails when a kept connection ends within the response', async () => {
  const network = new TestNetwork();
  await post(network);
  respond = (_request, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('ye');
    // After the first part of the body has left.
    setTimeout(() => response.socket?.destroy(), 20);
  };
  await expect(post(network)).rejects.toThrow('aborted');
  expect([bodies.length, connected]).toEqual([2, 1]);
});
