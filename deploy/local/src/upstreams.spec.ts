import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { eventually } from './eventually.js';
import { startBalancer, type Balancer } from './balancer.js';
import { startEdge, type Edge } from './edge.js';
import { Upstreams } from './upstreams.js';

/** A replica that responds with its name and the body of the request. */
class Replica {
  ready = true;
  readonly seen: IncomingMessage[] = [];
  #server: Server | undefined;
  #port = 0;

  constructor(readonly name: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get readyUrl(): string {
    return `${this.url}/readyz`;
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      if (request.url === '/readyz') return void response.writeHead(this.ready ? 200 : 503).end();
      this.seen.push(request);
      if (request.url === '/mcp/broken') return void request.socket.destroy();
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => response.end(`${this.name}${body}`));
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
}

let first: Replica;
let second: Replica;
let upstreams: Upstreams;
let edge: Edge;
let balancer: Balancer;

beforeEach(async () => {
  [first, second] = [new Replica('first'), new Replica('second')];
  await Promise.all([first.start(), second.start()]);
  upstreams = new Upstreams([first, second]);
  const all = { auth: upstreams, 'admin-api': upstreams, 'member-api': upstreams, 'mcp-gateway': upstreams };
  edge = await startEdge({ port: 0, addresses: ['127.0.0.1'], upstreams: all });
  balancer = await startBalancer(0, upstreams);
});
afterEach(async () => {
  upstreams.close();
  await Promise.all([edge.close(), balancer.close(), first.stop(), second.stop()]);
});

const send = async (body?: string): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${edge.port}/mcp`, body === undefined ? {} : { method: 'POST', body });
  return response.ok ? response.text() : String(response.status);
};
/** Sends on a new connection. */
const sendThrough = async (): Promise<string> =>
  fetch(balancer.url, { headers: { connection: 'close' } }).then(
    (response) => response.text(),
    () => 'no connection',
  );

/** The replicas that respond to ten requests. */
async function serving(request: () => Promise<string>): Promise<string[]> {
  const names: string[] = [];
  for (let count = 0; count < 10; count += 1) names.push(await request());
  return [...new Set(names)].toSorted();
}

/** Sends requests until these replicas serve them. */
const untilServing = (request: () => Promise<string>, names: readonly string[]): Promise<string[]> =>
  eventually(
    () => serving(request),
    (last) => last.join() === names.join(),
  );

describe.each([
  ['the edge', () => send()],
  ['the balancer', sendThrough],
])('%s before two replicas', (_name, request) => {
  it('sends requests to both in turn', async () => {
    expect(await serving(request)).toEqual(['first', 'second']);
  });

  it('takes a replica out that is not ready, and back in', async () => {
    first.ready = false;
    expect(await untilServing(request, ['second'])).toEqual(['second']);
    first.ready = true;
    expect(await untilServing(request, ['first', 'second'])).toEqual(['first', 'second']);
  });

  it('tries the next replica when one refuses the connection', async () => {
    await first.stop();
    expect(await serving(request)).toEqual(['second']);
    await first.start();
    expect(await untilServing(request, ['first', 'second'])).toEqual(['first', 'second']);
  });

  it('sends requests to replicas that are not ready when none is', async () => {
    first.ready = false;
    expect(await untilServing(request, ['second'])).toEqual(['second']);
    second.ready = false;
    expect(await untilServing(request, ['first', 'second'])).toEqual(['first', 'second']);
  });
});

describe('the edge', () => {
  it('sends the whole body to the next replica', async () => {
    const body = 'x'.repeat(300_000);
    await first.stop();
    for (let count = 0; count < 4; count += 1) expect(await send(body)).toBe(`second${body}`);
  });

  it('never repeats a request of which a byte was sent', async () => {
    const response = await fetch(`http://127.0.0.1:${edge.port}/mcp/broken`);
    expect(response.status).toBe(503);
    expect(first.seen.length + second.seen.length).toBe(1);
  });

  it('responds with 503 and Retry-After when no replica accepts a connection', async () => {
    await Promise.all([first.stop(), second.stop()]);
    const response = await fetch(`http://127.0.0.1:${edge.port}/mcp`, { method: 'POST', body: 'x'.repeat(300_000) });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('the balancer', () => {
  it('closes a connection that no replica accepts', async () => {
    await Promise.all([first.stop(), second.stop()]);
    expect(await sendThrough()).toBe('no connection');
  });

  it('closes the connection of a client when its replica ends', async () => {
    const client = connect(Number(new URL(balancer.url).port), '127.0.0.1');
    client.on('error', () => undefined);
    client.write('GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(client, 'data');
    const closed = once(client, 'close');
    await Promise.all([first.stop(), second.stop()]);
    expect(await closed).toHaveLength(1);
  });
});

it('refuses a service without an address', () => {
  expect(() => new Upstreams([])).toThrow('A service needs at least one address');
});
