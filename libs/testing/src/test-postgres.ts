import { freePort, startPostgres, type Postgres } from '@lyceum/local';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestPostgres {
  /** Connection string of a database for its own role; the same after a restart. */
  url(database: string): string;
  /** Connection string of the superuser. */
  readonly adminUrl: string;
  /** The postmaster and all of its processes, to freeze the whole server. Empty while it is down. */
  pids(): number[];
  /** SIGKILL to the postmaster. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Restarts it on the same port and data, after `kill` or `stop`. */
  restart(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/**
 * A PostgreSQL server for one test file that stops, kills or freezes it (1 s, 85 MB). Other tests share the run's
 * server.
 */
export async function testPostgres(databases: readonly string[]): Promise<TestPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-postgres-'));
  const port = await freePort();
  const start = (): Promise<Postgres> => startPostgres({ directory, databases, port, durable: false });
  const first = await start();
  let server: Postgres | undefined = first;
  return {
    url: (database) => first.url(database),
    adminUrl: first.adminUrl,
    pids: () => server?.pids() ?? [],
    async kill() {
      await server?.kill();
      server = undefined;
    },
    async stop() {
      await server?.stop();
      server = undefined;
    },
    async restart() {
      server = await start();
    },
    async remove() {
      await server?.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
