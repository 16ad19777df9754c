import { SITES_BUCKET, type Site } from '@lyceum/contracts';
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { bootstrapSettings, freePort, startNats, type NatsServer } from '@lyceum/local';
import { bootstrap } from '@lyceum/topology';
import { connect } from '@nats-io/transport-node';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readInfrastructure } from './infrastructure.js';

export interface TestNats extends NatsServer {
  /** Port of `/healthz`, with the option `monitored`. */
  readonly monitorPort: number | undefined;
  /** Variables of a user: a service, or `admin`. */
  environment(user: string): Record<'NATS_URL' | 'NATS_USER' | 'NATS_PASSWORD' | 'NATS_API_PREFIX', string>;
  /** Restarts it on the same port and store, after `kill` or `stop`. */
  restart(): Promise<void>;
  /** The bootstrap step: creates missing streams, buckets and consumers. */
  bootstrap(patience?: number): Promise<void>;
}

/**
 * A NATS server for one test file (60 ms, 15 MB): streams and durable consumers have fixed names, so two files that use
 * them cannot share one. `copy` names KV buckets of the shared server to start with, for instance `sites`; `sites` are
 * entries of the site directory; `bare` leaves out the bootstrap step; `parent` holds its directory, for instance a
 * small volume; `monitored` opens its monitoring port.
 */
export async function testNats(
  options: {
    readonly copy?: readonly string[];
    readonly sites?: readonly Site[];
    readonly bare?: boolean;
    readonly parent?: string;
    readonly monitored?: boolean;
  } = {},
): Promise<TestNats> {
  const directory = mkdtempSync(join(options.parent ?? tmpdir(), 'lyceum-nats-'));
  const monitorPort = options.monitored === true ? await freePort() : undefined;
  const start = (port?: number): Promise<NatsServer> =>
    startNats({ directory, durable: false, ...(port ? { port } : {}), ...(monitorPort ? { monitorPort } : {}) }, {});
  let server = await start();
  const environment: TestNats['environment'] = (user) => ({
    NATS_URL: server.url,
    NATS_USER: user,
    NATS_PASSWORD: server.userPassword(user) ?? '',
    NATS_API_PREFIX: server.apiPrefix(user),
  });
  const makeTopology = async (patience?: number): Promise<void> =>
    void (await bootstrap(bootstrapSettings(server), patience));
  if (options.bare !== true) await makeTopology();
  for (const bucket of options.copy ?? []) await copyBucket(bucket, environment('admin'));
  if (options.sites !== undefined) await putSites(options.sites, environment('admin'));
  return {
    url: server.url,
    logFile: server.logFile,
    userName: server.userName,
    userPassword: server.userPassword,
    apiPrefix: server.apiPrefix,
    monitorPort,
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
    bootstrap: makeTopology,
    // An orderly end takes 0.2 s, and writes to a store that is removed here.
    stop: async () => {
      await server.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function putSites(
  sites: readonly Site[],
  { NATS_URL, NATS_USER, NATS_PASSWORD }: ReturnType<TestNats['environment']>,
): Promise<void> {
  const connection = await connect({ servers: NATS_URL, user: NATS_USER, pass: NATS_PASSWORD });
  try {
    const bucket = await new Kvm(jetstream(connection)).open(SITES_BUCKET);
    for (const site of sites) await bucket.put(site.site_id, JSON.stringify(site));
  } finally {
    await connection.close();
  }
}

async function copyBucket(bucket: string, to: ReturnType<TestNats['environment']>): Promise<void> {
  const { nats } = readInfrastructure();
  const source = await connect({ servers: nats.url, user: 'admin', pass: nats.passwords['admin'] ?? '' });
  const target = await connect({ servers: to.NATS_URL, user: to.NATS_USER, pass: to.NATS_PASSWORD });
  try {
    const from = await new Kvm(jetstream(source)).open(bucket);
    const copy = await new Kvm(jetstream(target)).open(bucket);
    for await (const key of await from.keys()) {
      const entry = await from.get(key);
      if (entry) await copy.put(key, entry.value);
    }
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}
