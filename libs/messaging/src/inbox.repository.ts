import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { LIMITS } from './limits.js';

@Injectable()
export class InboxRepository {
  readonly #dataSource: DataSource;

  constructor(dataSource: DataSource) {
    this.#dataSource = dataSource;
  }

  /** False when the consumer has applied the event before. Two at once: the second waits for the first's commit. */
  async record(manager: EntityManager, consumer: string, eventId: string): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      'INSERT INTO inbox (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING event_id',
      [consumer, eventId],
    );
    return rows.length > 0;
  }

  /** Removes some of the rows that are older than any event that can still be delivered; says how many. */
  async sweep(): Promise<number> {
    const oldest = new Date(Date.now() - LIMITS.inboxMaxAge);
    const rows: unknown[] = await this.#dataSource.query(
      `WITH gone AS (SELECT ctid FROM inbox WHERE applied_at < $1 ORDER BY applied_at LIMIT $2 FOR UPDATE SKIP LOCKED),
            deleted AS (DELETE FROM inbox USING gone WHERE inbox.ctid = gone.ctid RETURNING 1)
       SELECT FROM deleted`,
      [oldest, LIMITS.inboxSweepBatch],
    );
    return rows.length;
  }
}
