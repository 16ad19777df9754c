import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
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

/**
 * $1 key, $2 required units, $3 limit, $4 window in seconds.
 *
 * @param unitsOf SQL of the units to lease of those that are left
 */
function lease(name: string, unitsOf: (left: string) => string): Statement {
  const text = `
    INSERT INTO rate_windows AS w (limit_key, started_at, spent) VALUES ($1, ${NOW}, ${unitsOf('$3::int')})
    ON CONFLICT (limit_key) DO UPDATE
      SET started_at = CASE WHEN ${isOver('w')} THEN ${NOW} ELSE w.started_at END,
          spent = ${spentOf('w')}
                  + CASE WHEN ${spentOf('w')} < $3 THEN ${unitsOf(`$3 - (${spentOf('w')})`)} ELSE 0 END
    RETURNING new.spent, new.spent - coalesce(${spentOf('old')}, 0) AS granted,
              greatest(0, extract(epoch FROM new.started_at + ${LENGTH} - ${NOW}) * 1000)::int AS "msLeft"`;
  return { name, text };
}

const LEASE = lease('rate_windows_lease', (left) => `greatest($2::int, (${left}) / ${SHARE})`);
const TAKE = lease('rate_windows_take', () => '$2::int');

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

  lease(request: LeaseRequest): Promise<Lease> {
    return this.#run(LEASE, request);
  }

  /** Leases the needed units and no more, in the transaction: other leases of the window wait for its end. */
  take(tx: EntityManager, request: LeaseRequest): Promise<Lease> {
    return this.#run(TAKE, request, tx);
  }

  /** Deletes a batch of old windows; true when more may be left. */
  async sweep(): Promise<boolean> {
    const swept = await this.sql.query(SWEEP, []);
    return swept.length === SWEEP_BATCH;
  }

  async #run(
    statement: Statement,
    { key, needed, limit, windowSeconds }: LeaseRequest,
    tx?: EntityManager,
  ): Promise<Lease> {
    const [leased] = await this.sql.query<Lease>(statement, [key, needed, limit, windowSeconds], tx);
    if (leased === undefined) throw new Error('An upsert returned no row');
    return leased;
  }
}
