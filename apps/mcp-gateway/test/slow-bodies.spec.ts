import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@lyceum/testing';
import { Gateway, SITE, call, newSource, wire } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  // Longer than another request takes on a busy machine.
  gateway = await Gateway.start({ environment: { REQUEST_TIMEOUT_MS: '3000' } });
});

afterAll(() => gateway?.close());

/** Sends the first bytes of a request, then one byte after the other until the gateway closes the connection. */
class Trickle {
  readonly ended: Promise<unknown>;
  response = '';
  sent = 0;
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;

  /** @param next the bytes of each step; none when the client sends nothing more */
  constructor(begun: string, next: (step: number) => string | undefined) {
    const { hostname, port } = new URL(gateway.url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setEncoding('utf8').on('data', (text: string) => (this.response += text));
    // The connection closes during a write, perhaps by a reset.
    this.#socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => this.#socket.once('close', resolve)).finally(() =>
      clearInterval(this.#timer),
    );
    this.#socket.write(begun);
    const sendMore = (): void => {
      const more = next(this.sent);
      if (more === undefined || this.response !== '' || !this.#socket.writable) return;
      this.sent += 1;
      this.#socket.write(more);
    };
    // After pending input was read: a failing write would discard the response.
    this.#timer = setInterval(() => setImmediate(sendMore), 20);
  }

  get open(): boolean {
    return !this.#socket.closed;
  }
}

const { body, headers } = wire('older', { id: 1, method: 'tools/list' });
const bytes = JSON.stringify(body).padEnd(100_000);

function head(framing: string): string {
  const fields = {
    host: SITE.host,
    'x-forwarded-host': SITE.host,
    'x-forwarded-for': newSource(),
    'content-type': 'application/json',
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n${framing}\r\n\r\n`;
}

const LENGTH = 'content-length: 100000';
const CHUNKED = 'transfer-encoding: chunked';

const BODIES: Readonly<Record<string, () => Trickle>> = {
  'with a length': () => new Trickle(head(LENGTH), (step) => bytes[step]),
  'in chunks': () => new Trickle(head(CHUNKED), (step) => `1\r\n${bytes[step]}\r\n`),
};

const nothing = (): undefined => undefined;

const OTHERS: Readonly<Record<string, () => Trickle>> = {
  'a head byte by byte': () => new Trickle('POST /mcp HTTP/1.1\r\n', () => 'X'),
  'half a body': () => new Trickle(`${head(LENGTH)}{"jsonrpc":`, nothing),
  'half a chunk': () => new Trickle(`${head(CHUNKED)}9\r\n{"json`, nothing),
  'half a head': () => new Trickle('POST /mcp HTTP/1.1\r\nHost: ', nothing),
  nothing: () => new Trickle('', nothing),
};

describe('a gateway with slow bodies', () => {
  let trickles: Record<string, Trickle[]>;
  let others: Record<string, Trickle>;

  beforeAll(() => {
    trickles = Object.fromEntries(
      Object.entries(BODIES).map(([how, send]) => [how, Array.from({ length: 20 }, () => send())]),
    );
    others = Object.fromEntries(Object.entries(OTHERS).map(([what, send]) => [what, send()]));
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

  it.each(Object.keys(BODIES))('ends a body %s with 408 at the time limit', async (how) => {
    await Promise.all(trickles[how]!.map(({ ended }) => ended));
    expect(trickles[how]).toHaveLength(20);
    for (const { response, sent } of trickles[how]!) {
      expect(response).toMatch(/^HTTP\/1\.1 408 /);
      expect(response).toContain('The request took too long to arrive.');
      expect(sent).toBeGreaterThan(1);
    }
    expect((await call(gateway.url, 'modern', 'browse_catalog')).status).toBe(200);
  });

  it.each(Object.keys(OTHERS))('ends a connection that has sent %s with 408', async (what) => {
    const sender = others[what]!;
    await sender.ended;
    expect(sender.response).toMatch(/^HTTP\/1\.1 408 /);
  });
});

it('refuses a token that was revoked before the body arrived', async () => {
  let revoked = false;
  const framing = `authorization: Bearer revocable\r\n${LENGTH}`;
  const held = new Trickle(head(framing), () => (revoked ? bytes : undefined));
  // Longer than the head of a request takes.
  await sleep(300);
  gateway.revoked.add('revocable');
  await gateway.auth.revokeGrant('revocable');
  const sent = { token: 'revocable' };
  await eventually(async () => (await call(gateway.url, 'modern', 'whoami', {}, sent)).status === 401);
  revoked = true;
  await eventually(() => held.response !== '');
  expect(held.response).toMatch(/^HTTP\/1\.1 401 /);
});
