import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';

export const WINDOW_SECONDS = 60;

/** A window as PostgreSQL has it. */
export interface Window {
  readonly token: string;
  readonly spent: number;
  /** Until it ends. */
  readonly ms_left: number;
}

const LENGTH = `interval '${WINDOW_SECONDS} seconds'`;
const MS_LEFT = `greatest(0, extract(epoch FROM started_at + ${LENGTH} - now()) * 1000)::int`;

/**
 * Points of `old` that count now. What a last, dear operation took beyond the limit is paid back by the windows that
 * follow, so that nobody gets more than the limit in the long run.
 */
const CARRIED = (limit: string): string =>
  `CASE WHEN old.started_at > now() - ${LENGTH} THEN old.spent
        ELSE greatest(0, old.spent - ${limit}::bigint * floor(extract(epoch FROM now() - old.started_at) / ${WINDOW_SECONDS})::bigint)::int END`;
const STARTED = `CASE WHEN old.started_at > now() - ${LENGTH} THEN old.started_at ELSE now() END`;

@Injectable()
export class RateLimitRepository {
  constructor(private readonly database: Sql) {}

  /** Adds what was spent here to what all replicas have spent, and says how much that is. */
  async add(spent: readonly { token: string; points: number }[], limit: number): Promise<Window[]> {
    // In one order, so that two replicas cannot lock each other out.
    const sorted = spent.toSorted((a, b) => (a.token < b.token ? -1 : 1));
    const text = `
      INSERT INTO rate_window AS old (token_fingerprint, started_at, spent)
      SELECT token, now(), points FROM unnest($1::text[], $2::int[]) AS given (token, points)
      ON CONFLICT (token_fingerprint) DO UPDATE
        SET spent = ${CARRIED('$3')} + excluded.spent, started_at = ${STARTED}
      RETURNING token_fingerprint AS token, spent, ${MS_LEFT} AS ms_left`;
    const values = [sorted.map(({ token }) => token), sorted.map(({ points }) => points), limit];
    return this.database.query<Window>({ name: 'rate_limit_add', text }, values);
  }

  /** Takes points unless the limit has been reached already; undefined then. */
  async take(token: string, points: number, limit: number): Promise<Window | undefined> {
    const text = `
      INSERT INTO rate_window AS old (token_fingerprint, started_at, spent) VALUES ($1, now(), $2)
      ON CONFLICT (token_fingerprint) DO UPDATE
        SET spent = ${CARRIED('$3')} + excluded.spent, started_at = ${STARTED}
        WHERE ${CARRIED('$3')} < $3
      RETURNING token_fingerprint AS token, spent, ${MS_LEFT} AS ms_left`;
    const [window] = await this.database.query<Window>({ name: 'rate_limit_take', text }, [token, points, limit]);
    return window;
  }

  async read(token: string): Promise<Window | undefined> {
    const text = `SELECT token_fingerprint AS token, spent, ${MS_LEFT} AS ms_left FROM rate_window WHERE token_fingerprint = $1`;
    const [window] = await this.database.query<Window>({ name: 'rate_limit_read', text }, [token]);
    return window;
  }

  /** Forgets windows that are long over. */
  async sweep(): Promise<void> {
    const text = `DELETE FROM rate_window WHERE started_at < now() - interval '10 minutes'`;
    await this.database.query({ name: 'rate_limit_sweep', text }, []);
  }
}
