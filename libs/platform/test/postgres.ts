import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startPostgres } from '@lyceum/local';
import type { Postgres } from '@lyceum/local';

/** A PostgreSQL of one test file, that it may stop, freeze and start again on the same data. */
export interface TestServer {
  url(database: string): string;
  pids(): number[];
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

export async function startTestServer(databases: readonly string[]): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-platform-'));
  const port = await freePort();
  const start = (): Promise<Postgres> => startPostgres({ directory, databases, port, durable: false });
  let server: Postgres | undefined = await start();
  const first = server;
  return {
    url: (database) => first.url(database),
    pids: () => server?.pids() ?? [],
    async start() {
      server = await start();
    },
    async stop() {
      await server?.stop();
      server = undefined;
    },
    async kill() {
      await server?.kill();
      server = undefined;
    },
    async remove() {
      await server?.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
