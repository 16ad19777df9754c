import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inboxPrefix } from '@lyceum/contracts';
import { bootstrap } from '@lyceum/topology';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { eventually } from '../eventually.js';
import { startChild, type Child } from '../child.js';
import { natsGreeting } from '../nats-greeting.js';
import { natsProgram } from '../nats-program.js';
import { freePort } from '../ports.js';
import { WORKSPACE } from '../workspace.js';
import { natsConfiguration, natsPasswords } from './nats-configuration.js';

const committed = readFileSync(join(WORKSPACE, 'docker/nats/nats.conf'), 'utf8');

it('writes the committed configuration from the permissions of the contracts', () => {
  expect(committed).toBe(natsConfiguration());
});

describe('nats-server with the configuration', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-nats-conf-'));
  const connections: NatsConnection[] = [];
  let child: Child;
  let port: number;
  // Digits and a letter: without quotes NATS would read a number with a unit.
  const password = (user: string): string => `9e9-${user}`;

  beforeAll(async () => {
    port = await freePort();
    const text = committed
      .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
      .replace('127.0.0.1:8222', `127.0.0.1:${await freePort()}`)
      .replace('"/data"', JSON.stringify(join(directory, 'data')));
    writeFileSync(join(directory, 'nats.conf'), text);
    mkdirSync(join(directory, 'secrets'));
    writeFileSync(join(directory, 'secrets/passwords.conf'), natsPasswords(password));
    child = startChild({
      name: 'nats',
      command: [natsProgram(), '--config', join(directory, 'nats.conf')],
      stopSignal: 'SIGTERM',
      logFile: join(directory, 'nats.log'),
    });
    await eventually(() => {
      if (!child.running) throw new Error(child.tail());
      return natsGreeting('127.0.0.1', port).catch(() => undefined);
    });
    await bootstrap({
      url: `nats://127.0.0.1:${port}`,
      user: 'bootstrap',
      password: password('bootstrap'),
      replicas: 1,
    });
  });
  afterAll(async () => {
    for (const connection of connections) await connection.close();
    await child?.stop();
    rmSync(directory, { recursive: true });
  });

  async function as(user: string, pass = password(user)): Promise<NatsConnection> {
    const options = { servers: `127.0.0.1:${port}`, user, pass, inboxPrefix: inboxPrefix(user), reconnect: false };
    const connection = await connect(options);
    connections.push(connection);
    return connection;
  }

  /** The errors of the server about one message. */
  async function refusals(connection: NatsConnection, subject: string): Promise<string[]> {
    const refused: string[] = [];
    const status = connection.status()[Symbol.asyncIterator]();
    void (async () => {
      for (let next = await status.next(); next.done !== true; next = await status.next())
        if (next.value.type === 'error') refused.push(String(next.value.error.message));
    })();
    connection.publish(subject, '{}');
    await connection.flush();
    // The iterator gets the refusal in a later turn of the event loop.
    await sleep(50);
    return refused;
  }

  it.each(['auth', 'admin-api', 'member-api', 'mcp-gateway', 'storefront', 'bootstrap', 'admin'])(
    'accepts the user %s with its password alone',
    async (user) => {
      expect((await as(user)).isClosed()).toBe(false);
      await expect(as(user, 'another')).rejects.toThrow(/authorization violation/i);
    },
  );

  it('gives a service its own streams, and refuses those of another', async () => {
    const auth = await as('auth');
    const own = await auth.request('HUB.API.STREAM.INFO.IDENTITY', '', { timeout: 5_000 });
    expect(own.json()).toMatchObject({ config: { name: 'IDENTITY' } });
    expect(await refusals(auth, 'identity.planted.made.v1')).toEqual([]);
    expect(await refusals(auth, 'school.planted.made.v1')).toEqual([
      expect.stringMatching(/permissions violation for publish to "school\.planted\.made\.v1"/i),
    ]);
  });
});
