import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';

/** An erasure of the events of an aggregate before a position. */
export interface EventErasure {
  readonly aggregate_id: string;
  /** Epoch of an event of another service. Undefined: the current epoch of this service. */
  readonly epoch?: number;
  readonly version: number;
  /** NATS filter for the events of the entity. Null: the previous release wrote the erasure. */
  readonly subjects: string | null;
}

/** Time for one batch of a pass. Another replica repeats a pass whose replica ended. */
const LEASE = `interval '1 minute'`;
const PAUSE = `interval '1 hour'`;
const oldest = (channel: 'event' | 'bulk'): string =>
  `(SELECT created_at FROM outbox WHERE channel = '${channel}' ORDER BY seq LIMIT 1)`;
/**
 * The first pass runs at once. The second one runs after each consumer has applied or refused the events that it had
 * received, and after the relay has published each event from before the first pass.
 */
const DUE = `(passed_at IS NULL OR passed_at < least(now() - ${PAUSE}, ${oldest('event')}, ${oldest('bulk')}))`;
/** A pass reads whole streams, so only one runs at a time. A later erasure waits for its end. */
const FREE = 'NOT EXISTS (SELECT FROM event_erasures WHERE leased_until > now())';
/** Erasures whose position is the one of the pass. A later position needs another pass. */
const GIVEN = `(aggregate_id, epoch, version) IN (SELECT * FROM unnest($1::text[], $2::bigint[], $3::int[]))`;

@Injectable()
export class EventErasuresRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add(manager: EntityManager, { aggregate_id, epoch, version, subjects }: EventErasure): Promise<void> {
    await manager.query(
      `INSERT INTO event_erasures (aggregate_id, epoch, version, subjects)
       SELECT $1, coalesce($2, epoch), $3, $4 FROM event_epoch
       ON CONFLICT (aggregate_id) DO UPDATE
         SET epoch = excluded.epoch, version = excluded.version, subjects = excluded.subjects,
             requested_at = now(), passed_at = NULL, leased_until = NULL`,
      [aggregate_id, epoch ?? null, version, subjects],
    );
  }

  /** Leases the due erasures; none while another replica has a lease. */
  async take(): Promise<Required<EventErasure>[]> {
    if (!(await this.#isDue())) return [];
    const [taken] = await this.dataSource.query<[Required<EventErasure>[], number]>(
      `UPDATE event_erasures SET leased_until = now() + ${LEASE} WHERE ${DUE} AND ${FREE}
       RETURNING aggregate_id, epoch::float8 AS epoch, version, subjects`,
    );
    return taken;
  }

  /** Returns false if the lease of all of them has ended. */
  async renew(erasures: readonly Required<EventErasure>[]): Promise<boolean> {
    const [, renewed] = await this.dataSource.query<[unknown, number]>(
      `UPDATE event_erasures SET leased_until = now() + ${LEASE} WHERE leased_until IS NOT NULL AND ${GIVEN}`,
      positions(erasures),
    );
    return renewed > 0;
  }

  /** Records a pass. The second one completes an erasure. */
  async passed(erasures: readonly Required<EventErasure>[]): Promise<void> {
    const values = positions(erasures);
    await this.dataSource.query(`DELETE FROM event_erasures WHERE passed_at < now() - ${PAUSE} AND ${GIVEN}`, values);
    await this.dataSource.query(
      `UPDATE event_erasures SET passed_at = now(), leased_until = NULL WHERE ${GIVEN}`,
      values,
    );
  }

  /** A statement that locks no row, for the poll. */
  async #isDue(): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `SELECT 1 FROM event_erasures WHERE ${DUE} AND ${FREE} LIMIT 1`,
    );
    return rows.length > 0;
  }
}

const positions = (erasures: readonly Required<EventErasure>[]): unknown[] => [
  erasures.map(({ aggregate_id }) => aggregate_id),
  erasures.map(({ epoch }) => epoch),
  erasures.map(({ version }) => version),
];
