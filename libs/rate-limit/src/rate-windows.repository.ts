import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import { RateWindows } from './rate-windows.js';
import type { Lease, LeaseRequest } from './rate-windows.js';
import { SHARE } from './window.policy.js';

/** Longer than the longest window. */
const AGE = `interval '2 hours'`;
const SWEEP_BATCH = 1_000;

const LENGTH = 'make_interval(secs => $4)';
/** The column has milliseconds, so the full timestamp could precede the window's start. */
const NOW = `date_trunc('milliseconds', now())`;
const isOver = (row: string): string => `${row}.started_at <= ${NOW} - ${LENGTH}`;

/**
 * Units of the row that count in the current window. The last operation can exceed the limit; the following windows pay
 * for it, so that the limit is met on average.
 */
const spentOf = (row: string): string =>
  `CASE WHEN ${isOver(row)}
        THEN greatest(0, ${row}.spent - $3::bigint * floor(extract(epoch FROM ${NOW} - ${row}.started_at) / $4)::bigint)::int
        ELSE ${row}.spent END`;

/** $1 key, $2 required units, $3 limit, $4 window in seconds. */
const LEASE = {
  name: 'rate_windows_lease',
  text: `
    INSERT INTO rate_windows AS w (limit_key, started_at, spent) VALUES ($1, ${NOW}, greatest($2::int, $3::int / ${SHARE}))
    ON CONFLICT (limit_key) DO UPDATE
      SET started_at = CASE WHEN ${isOver('w')} THEN ${NOW} ELSE w.started_at END,
          spent = ${spentOf('w')}
                  + CASE WHEN ${spentOf('w')} < $3 THEN greatest($2, ($3 - (${spentOf('w')})) / ${SHARE}) ELSE 0 END
    RETURNING new.spent, new.spent - coalesce(${spentOf('old')}, 0) AS granted,
              greatest(0, extract(epoch FROM new.started_at + ${LENGTH} - ${NOW}) * 1000)::int AS "msLeft"`,
};

const SWEEP = {
  name: 'rate_windows_sweep',
  text: `
    DELETE FROM rate_windows WHERE limit_key IN (
      SELECT limit_key FROM rate_windows WHERE started_at < now() - ${AGE} LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING 1 AS swept`,
};

/** The windows of a service in its database, shared by its replicas. */
@Injectable()
export class RateWindowsRepository extends RateWindows {
  constructor(private readonly sql: Sql) {
    super();
  }

  async lease({ key, needed, limit, windowSeconds }: LeaseRequest): Promise<Lease> {
    const [lease] = await this.sql.query<Lease>(LEASE, [key, needed, limit, windowSeconds]);
    if (lease === undefined) throw new Error('An upsert returned no row');
    return lease;
  }

  /** Deletes a batch of old windows; true when more may be left. */
  async sweep(): Promise<boolean> {
    const swept = await this.sql.query(SWEEP, []);
    return swept.length === SWEEP_BATCH;
  }
}
