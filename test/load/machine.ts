import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import pg from 'pg';

export interface Machine {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  /** The load average of the last minute before the benchmark. */
  readonly load: number;
  readonly node: string;
  readonly postgres: string;
}

export async function thisMachine(databaseUrl: string): Promise<Machine> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  return {
    date: new Date().toISOString(),
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    memory: totalmem(),
    load: loadavg()[0]!,
    node: process.versions.node,
    postgres: rows[0]?.server_version ?? 'unknown',
  };
}
