import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { startNats, type NatsServer } from '@lyceum/local';
import { connect } from '@nats-io/transport-node';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readInfrastructure } from './infrastructure.js';
import { testUsers } from './start-infrastructure.js';

export interface TestNats extends NatsServer {
  /** NATS_URL, NATS_USER and NATS_PASSWORD for a user: a service, or `admin`. */
  environment(user: string): { NATS_URL: string; NATS_USER: string; NATS_PASSWORD: string };
  /** Starts it again on the same port and store, after `kill` or `stop`. */
  restart(): Promise<void>;
}

/**
 * A NATS server for one test file (60 ms, 15 MB): streams and durable consumers have fixed names, so two files that use
 * them cannot share one. `copy` names KV buckets of the shared server to start with, for instance `sites`.
 */
export async function testNats(options: { readonly copy?: readonly string[] } = {}): Promise<TestNats> {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-nats-'));
  const start = (port?: number): Promise<NatsServer> =>
    startNats({ directory, users: testUsers(), durable: false, ...(port ? { port } : {}) }, {});
  let server = await start();
  const environment: TestNats['environment'] = (user) => ({
    NATS_URL: server.url,
    NATS_USER: user,
    NATS_PASSWORD: server.userPassword(user) ?? '',
  });
  for (const bucket of options.copy ?? []) await copyBucket(bucket, environment('admin'));
  return {
    url: server.url,
    logFile: server.logFile,
    userName: server.userName,
    userPassword: server.userPassword,
    environment,
    get pid() {
      return server.pid;
    },
    get exited() {
      return server.exited;
    },
    kill: () => server.kill(),
    restart: async () => {
      server = await start(Number(new URL(server.url).port));
    },
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function copyBucket(bucket: string, to: ReturnType<TestNats['environment']>): Promise<void> {
  const { nats } = readInfrastructure();
  const source = await connect({ servers: nats.url, user: 'admin', pass: nats.passwords['admin'] ?? '' });
  const target = await connect({ servers: to.NATS_URL, user: to.NATS_USER, pass: to.NATS_PASSWORD });
  try {
    const from = await new Kvm(jetstream(source)).open(bucket);
    const status = await from.status();
    const copy = await new Kvm(jetstream(target)).create(bucket, { history: status.history });
    for await (const key of await from.keys()) {
      const entry = await from.get(key);
      if (entry) await copy.put(key, entry.value);
    }
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}
