import { eventually } from '@lyceum/testing';
import pg from 'pg';

/** Runs work on a separate connection to the database of the service. */
export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs a statement, and returns its rows: a client of `pg`, or a transaction of TypeORM. */
interface Session {
  query(text: string): Promise<unknown>;
}

/** Resolves when another session waits for a lock of this one. */
export async function untilBlocked(session: Session): Promise<void> {
  const blocked = 'select 1 from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))';
  await eventually(async () => {
    const found = await session.query(blocked);
    return (Array.isArray(found) ? found : (found as pg.QueryResult).rows).length > 0;
  });
}
