import { Injectable } from '@nestjs/common';
import type { StateVersion } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { lockAggregates } from '#src/notifications/aggregate-locks.js';

/** Comments are not stored. */
@Injectable()
export class CommentsRepository {
  /**
   * Locks comments until the transaction ends. Returns the positions of the events that changed their texts: earlier
   * events have a name or a text that no member may get any more.
   */
  async lockErasures(commentIds: readonly string[], tx: EntityManager): Promise<Map<string, StateVersion>> {
    await lockAggregates(commentIds, tx);
    // Another statement, so that it sees what the transaction before wrote.
    const erasures = await tx.query<(StateVersion & { readonly aggregate_id: string })[]>(
      'select aggregate_id, epoch::float8 as epoch, version from event_erasures where aggregate_id = any($1::text[])',
      [commentIds],
    );
    return new Map(erasures.map(({ aggregate_id, ...place }) => [aggregate_id, place]));
  }
}
