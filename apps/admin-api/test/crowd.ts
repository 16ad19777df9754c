import { withDatabase } from './database.js';

const MOST_ATTEMPTS = 20;

/** Sends a command. Returns `done`, or the code of its error. */
export type Attempt = () => Promise<string>;

export const repeated = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

/** Sends commands at the same time. A service without a free place for a command may refuse it: it is sent again. */
export function crowd(commands: readonly Attempt[]): Promise<readonly string[]> {
  const ended = async (command: Attempt, left = MOST_ATTEMPTS): Promise<string> => {
    const outcome = await command();
    return outcome === 'temporarily_unavailable' && left > 0 ? ended(command, left - 1) : outcome;
  };
  return Promise.all(commands.map((command) => ended(command)));
}

/** The number of each outcome. */
export const counted = (outcomes: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([name, of]) => [name, of.length]));

/**
 * Ends the sessions of the service, and returns the number of deadlocks that PostgreSQL has ended in its database: the
 * refusal of a command does not say it.
 *
 * @param committed transactions that the database must have seen
 */
export async function deadlocks(databaseUrl: string, committed: number): Promise<number> {
  return withDatabase(databaseUrl, async (client) => {
    // A session adds its figures when it ends.
    await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
    );
    const { rows } = await client.query<{ deadlocks: string; xact_commit: string }>(
      'select deadlocks, xact_commit from pg_stat_database where datname = current_database()',
    );
    expect(Number(rows[0]?.xact_commit)).toBeGreaterThan(committed);
    return Number(rows[0]?.deadlocks);
  });
}
