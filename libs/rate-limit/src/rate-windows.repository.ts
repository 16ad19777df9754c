import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';

/**
 * A replica leases this part of what is left: much while much is left, so that few requests wait for PostgreSQL; unit by
 * unit towards the end, so that no replica keeps what another one needs.
 */
const SHARE = 8;
/** Longer than the longest window. */
const AGE = `interval '2 hours'`;
const SWEEP_BATCH = 1_000;

const LENGTH = 'make_interval(secs => $4)';
/** The column rounds to milliseconds, so a window could begin after the instant of its own transaction. */
const NOW = `date_trunc('milliseconds', now())`;
const isOver = (row: string): string => `${row}.started_at <= ${NOW} - ${LENGTH}`;

/**
 * Units of the row that count now. A last, dear operation can take more than was left; the windows that follow pay it
 * back, so that the limit holds in the long run.
 */
const spentOf = (row: string): string =>
  `CASE WHEN ${isOver(row)}
        THEN greatest(0, ${row}.spent - $3::bigint * floor(extract(epoch FROM ${NOW} - ${row}.started_at) / $4)::bigint)::int
        ELSE ${row}.spent END`;

/** $1 key, $2 units that are needed, $3 limit, $4 seconds of the window. */
const LEASE = {
  name: 'rate_windows_lease',
  text: `
    INSERT INTO rate_windows AS w (limit_key, started_at, spent) VALUES ($1, ${NOW}, greatest($2::int, $3::int / ${SHARE}))
    ON CONFLICT (limit_key) DO UPDATE
      SET started_at = CASE WHEN ${isOver('w')} THEN ${NOW} ELSE w.started_at END,
          spent = ${spentOf('w')}
                  + CASE WHEN ${spentOf('w')} < $3 THEN greatest($2, ($3 - (${spentOf('w')})) / ${SHARE}) ELSE 0 END
    RETURNING new.spent, new.spent - coalesce(${spentOf('old')}, 0) AS granted,
              greatest(0, extract(epoch FROM new.started_at + ${LENGTH} - ${NOW}) * 1000)::int AS ms_left`,
};

const SWEEP = {
  name: 'rate_windows_sweep',
  text: `
    DELETE FROM rate_windows WHERE limit_key IN (
      SELECT limit_key FROM rate_windows WHERE started_at < now() - ${AGE} LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING 1 AS swept`,
};

export interface Lease {
  /** Units that the replica can give; 0 when the limit is reached. */
  readonly granted: number;
  /** Units that all replicas have leased, this lease included. */
  readonly spent: number;
  /** Until the window ends. */
  readonly ms_left: number;
}

export interface LeaseRequest {
  readonly key: Buffer;
  /** The least that the replica needs. A lease has as much or more, also beyond the limit, while anything is left. */
  readonly needed: number;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** The windows of a service in its own database: all that its replicas share about limits. */
@Injectable()
export class RateWindowsRepository {
  constructor(private readonly sql: Sql) {}

  async lease({ key, needed, limit, windowSeconds }: LeaseRequest): Promise<Lease> {
    const [lease] = await this.sql.query<Lease>(LEASE, [key, needed, limit, windowSeconds]);
    if (lease === undefined) throw new Error('An upsert returned no row');
    return lease;
  }

  /** Removes a batch of windows that ended long ago; true when more may be left. */
  async sweep(): Promise<boolean> {
    const swept = await this.sql.query(SWEEP, []);
    return swept.length === SWEEP_BATCH;
  }
}
