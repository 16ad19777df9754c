import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';

/** An erasure of the events of an aggregate before a position. */
export interface EventErasure {
  readonly aggregate_id: string;
  /** Epoch of an event of another service. Undefined: the current epoch of this service. */
  readonly epoch?: number;
  readonly version: number;
}

/** Key of the advisory lock, unique in the service. */
const LOCK = 7_404_160;
/**
 * The first pass runs at once. The second one runs after the relay has published its backlog and each consumer has
 * applied or refused the events that it had received.
 */
const DUE = `passed_at IS NULL OR requested_at < now() - interval '1 hour'`;

@Injectable()
export class EventErasuresRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add(manager: EntityManager, { aggregate_id, epoch, version }: EventErasure): Promise<void> {
    await manager.query(
      `INSERT INTO event_erasures (aggregate_id, epoch, version)
       SELECT $1, coalesce($2, epoch), $3 FROM event_epoch
       ON CONFLICT (aggregate_id) DO UPDATE
         SET epoch = excluded.epoch, version = excluded.version, requested_at = now(), passed_at = NULL`,
      [aggregate_id, epoch ?? null, version],
    );
  }

  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
  }

  async isDue(): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(`SELECT 1 FROM event_erasures WHERE ${DUE} LIMIT 1`);
    return rows.length > 0;
  }

  /** Returns due erasures; none while another replica processes them. */
  async take(manager: EntityManager): Promise<Required<EventErasure>[]> {
    const locks: { held: boolean }[] = await manager.query('SELECT pg_try_advisory_xact_lock($1) AS held', [LOCK]);
    if (locks[0]?.held !== true) return [];
    return manager.query(`SELECT aggregate_id, epoch::float8 AS epoch, version FROM event_erasures WHERE ${DUE}`);
  }

  /** Records a pass. The second one completes an erasure. */
  async passed(manager: EntityManager, erasures: readonly EventErasure[]): Promise<void> {
    const ids = erasures.map(({ aggregate_id }) => aggregate_id);
    await manager.query(
      `DELETE FROM event_erasures
        WHERE aggregate_id = ANY($1) AND passed_at IS NOT NULL AND requested_at < now() - interval '1 hour'`,
      [ids],
    );
    await manager.query('UPDATE event_erasures SET passed_at = now() WHERE aggregate_id = ANY($1)', [ids]);
  }
}
