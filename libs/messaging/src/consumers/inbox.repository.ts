import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { LIMITS } from '../connection/limits.js';

/** Prepared: each batch of events begins with it. The plan does not see the values of subqueries, so it stays. */
const RECORD = {
  name: 'inbox_record',
  text: `INSERT INTO inbox (consumer, event_id)
    SELECT $1, id FROM unnest((SELECT $2::uuid[]), (SELECT $3::uuid[])) AS given (id, site_id)
     WHERE NOT EXISTS (SELECT FROM site_erasures e WHERE e.site_id = given.site_id)
     ORDER BY id
    ON CONFLICT DO NOTHING RETURNING event_id`,
};

@Injectable()
export class InboxRepository {
  readonly #dataSource: DataSource;

  constructor(dataSource: DataSource) {
    this.#dataSource = dataSource;
  }

  /**
   * Returns the ids of the events that the consumer had not applied before. A concurrent call waits for the first one's
   * commit. All consumers insert in the order of ids, so two batches with the same events do not deadlock. Events of a
   * deleted site are left out: they would bring its rows back.
   */
  async record(
    manager: EntityManager,
    consumer: string,
    events: ReadonlyMap<string, { readonly site_id: string | null }>,
  ): Promise<ReadonlySet<string>> {
    const sites = [...events.values()].map(({ site_id }) => site_id);
    const rows = await preparedQuery<{ event_id: string }>(manager, RECORD, [consumer, [...events.keys()], sites]);
    return new Set(rows.map(({ event_id: id }) => id));
  }

  /** Deletes a batch of rows that are older than any event that can still be delivered; returns their number. */
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
