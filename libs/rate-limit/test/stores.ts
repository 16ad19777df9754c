import { Database, HealthRegistry, MetricsRegistry, Sql, migrateDatabase } from '@lyceum/platform';
import { MessagingSettings, Nats, SharedValues } from '@lyceum/messaging';
import { emptyDatabase, eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { NatsRateWindows } from '../src/nats-rate-windows.js';
import type { RateWindows } from '../src/rate-windows.js';
import { RateWindowsRepository } from '../src/rate-windows.repository.js';
import type { EntityManager } from 'typeorm';
import { rateLimitMigrations } from '../src/rate-windows.migration.js';

/** A store that several replicas use. */
export interface Store {
  /** The store as a new replica sees it. */
  windows(): RateWindows;
  /** Moves all windows into the past. */
  age(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export interface PostgresqlStore extends Store {
  windows(): RateWindowsRepository;
  count(): Promise<number>;
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T>;
}

export async function postgresqlStore(): Promise<PostgresqlStore> {
  const testDatabase = await emptyDatabase();
  const options = { url: testDatabase.url, poolSize: 5, applicationName: 'test', entities: [] };
  await migrateDatabase({ ...options, migrations: rateLimitMigrations });
  const database = await Database.open({ ...options, migrations: rateLimitMigrations });
  return {
    windows: () => new RateWindowsRepository(new Sql(database.dataSource)),
    age: (seconds) =>
      database.dataSource.query('UPDATE rate_windows SET started_at = started_at - make_interval(secs => $1)', [
        seconds,
      ]),
    count: async () => (await database.dataSource.query<unknown[]>('SELECT FROM rate_windows')).length,
    transaction: (work) => database.dataSource.transaction(work),
    close: async () => {
      await database.onApplicationShutdown();
      await testDatabase.drop();
    },
  };
}

export interface NatsStore extends Store {
  readonly server: TestNats;
  /** Kills the server, and returns when the replicas have noticed. A value sent before would wait for its timeout. */
  kill(): Promise<void>;
}

export async function natsStore(options: Parameters<typeof testNats>[0] = {}): Promise<NatsStore> {
  const server = await testNats(options);
  const settings = new MessagingSettings({
    service: 'mcp-gateway',
    // A replica whose value is late counts alone, which these suites do not expect of a busy machine.
    nats: { ...server.environment('mcp-gateway'), SHARED_VALUE_TIMEOUT_MS: 10_000 },
  });
  const nats = new Nats(settings, new HealthRegistry(), new MetricsRegistry('test'));
  const values = new SharedValues(nats, settings);
  await nats.ready();
  const keys = new Set<string>();
  return {
    server,
    windows: () => {
      const windows = new NatsRateWindows(values);
      const lease = windows.lease.bind(windows);
      windows.lease = (request) => {
        keys.add(request.key.toString('hex'));
        return lease(request);
      };
      return windows;
    },
    age: async (seconds) => {
      for (const key of keys) {
        const stored = await values.read(key);
        if (stored === undefined) continue;
        const [startedAt = 0, spent = 0] = stored.text.split(' ').map(Number);
        await values.write(key, `${startedAt - seconds * 1_000} ${spent}`, stored.revision);
      }
    },
    kill: async () => {
      await server.kill();
      await eventually(() => !nats.connected);
    },
    close: async () => {
      await nats.drain();
      await server.stop();
    },
  };
}
