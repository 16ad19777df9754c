import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Gateway, SITE, call, newSource, wire } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  // Longer than another request takes on a busy machine.
  gateway = await Gateway.start({ environment: { REQUEST_TIMEOUT_MS: '3000' } });
});

afterAll(() => gateway?.close());

/** Sends the head of a message, then its body byte by byte until the gateway closes the connection. */
class Trickle {
  readonly ended: Promise<unknown>;
  response = '';
  sent = 0;
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;

  constructor(framing: string, write: (byte: string) => string) {
    const { hostname, port } = new URL(gateway.url);
    const { body, headers } = wire('older', { id: 1, method: 'tools/list' });
    const bytes = JSON.stringify(body).padEnd(100_000);
    const head = {
      host: SITE.host,
      'x-forwarded-host': SITE.host,
      'x-forwarded-for': newSource(),
      'content-type': 'application/json',
      ...headers,
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setEncoding('utf8').on('data', (text: string) => (this.response += text));
    // The connection closes during a write, perhaps by a reset.
    this.#socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => this.#socket.once('close', resolve)).finally(() =>
      clearInterval(this.#timer),
    );
    this.#socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n${framing}\r\n\r\n`);
    const sendByte = (): void => {
      const byte = bytes[this.sent];
      if (byte === undefined || this.response !== '' || !this.#socket.writable) return;
      this.sent += 1;
      this.#socket.write(write(byte));
    };
    // After pending input was read: a failing write would discard the response.
    this.#timer = setInterval(() => setImmediate(sendByte), 20);
  }

  get open(): boolean {
    return !this.#socket.closed;
  }
}

const FRAMINGS: Readonly<Record<string, readonly [header: string, write: (byte: string) => string]>> = {
  'with a length': ['content-length: 100000', (byte) => byte],
  'in chunks': ['transfer-encoding: chunked', (byte) => `1\r\n${byte}\r\n`],
};

describe('a gateway with slow bodies', () => {
  let trickles: Record<string, Trickle[]>;

  beforeAll(() => {
    trickles = Object.fromEntries(
      Object.entries(FRAMINGS).map(([how, framing]) => [
        how,
        Array.from({ length: 20 }, () => new Trickle(...framing)),
      ]),
    );
  });

  it('delays no other request', async () => {
    const { status } = await call(gateway.url, 'modern', 'browse_catalog');
    expect(status).toBe(200);
    expect(
      Object.values(trickles)
        .flat()
        .map(({ open }) => open),
    ).toEqual(Array.from({ length: 40 }, () => true));
  });

  it.each(Object.keys(FRAMINGS))('ends a body %s with 408 at the time limit', async (how) => {
    await Promise.all(trickles[how]!.map(({ ended }) => ended));
    expect(trickles[how]).toHaveLength(20);
    for (const { response, sent } of trickles[how]!) {
      expect(response).toMatch(/^HTTP\/1\.1 408 /);
      expect(response).toContain('The request took too long to arrive.');
      expect(sent).toBeGreaterThan(1);
    }
    expect((await call(gateway.url, 'modern', 'browse_catalog')).status).toBe(200);
  });
});
