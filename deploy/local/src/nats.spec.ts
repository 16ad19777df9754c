import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { natsGreeting } from './nats-greeting.js';
import { startNats } from './nats.js';

/** Runs startNats against a server with a NATS greeting. */
async function startedWith(greeting: string): Promise<unknown> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(greeting);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const NATS_URL = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await startNats({ directory: '/nowhere', durable: false }, { NATS_URL, NATS_USER: 'one' });
  } finally {
    server.close();
  }
}

describe('the server of NATS_URL', () => {
  it('uses a running server as it is, with the one user of NATS_USER', async () => {
    const server = (await startedWith('INFO {"version":"2.11.0","jetstream":true}\r\n')) as Awaited<
      ReturnType<typeof startNats>
    >;
    expect([server.userName('auth'), server.userPassword('auth'), server.pid]).toEqual(['one', undefined, undefined]);
    await server.stop();
  });

  it.each([
    [
      'is too old',
      'INFO {"version":"2.10.4","jetstream":true}\r\n',
      /The server of NATS_URL is NATS 2\.10\.4; 2\.11 or newer/,
    ],
    ['has no JetStream', 'INFO {"version":"2.14.0"}\r\n', /no JetStream/],
    ['is no NATS', 'SSH-2.0-OpenSSH_9.2\r\n', /no NATS server/],
  ])('refuses a server that %s', async (_case, greeting, message) => {
    await expect(startedWith(greeting)).rejects.toThrow(message);
  });

  it('refuses an address at which no server listens', async () => {
    await expect(
      startNats({ directory: '/nowhere', durable: false }, { NATS_URL: 'nats://127.0.0.1:1' }),
    ).rejects.toThrow(/NATS_URL names a server that does not answer/);
  });
});

describe('the embedded server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-nats-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('offers JetStream, and keeps its passwords between starts in files that only their owner reads', async () => {
    const options = { directory, durable: true };
    const first = await startNats(options, {});
    const password = first.userPassword('auth');
    await expect(natsGreeting('127.0.0.1', Number(new URL(first.url).port))).resolves.toMatchObject({
      jetstream: true,
    });
    await first.stop();
    const second = await startNats(options, {});
    expect(second.userPassword('auth')).toBe(password);
    expect(password).toHaveLength(43);
    for (const file of ['passwords.json', 'nats.json', 'nats.log'])
      expect(statSync(join(directory, file)).mode & 0o077).toBe(0);
    await second.stop();
  });
});
