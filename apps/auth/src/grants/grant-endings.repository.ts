import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RevocationReason } from '#src/audit/audit-entry.js';
import { rows } from '#src/database/rows.js';
import type { RevokedGrant } from './grants.repository.js';

/** A site or a client, whose grants end all at once. */
export interface GrantsTarget {
  readonly target: 'site' | 'client';
  /** The `site_id` or the `client_key`. */
  readonly target_id: string;
}

export interface GrantEnding extends GrantsTarget {
  readonly reason: RevocationReason;
  /** Grants from before have ended. */
  readonly ended_at: Date;
}

const COLUMNS = { site: 'site_id', client: 'client_key' } as const satisfies Record<GrantsTarget['target'], string>;

/** Grants whose rows are deleted in one transaction. */
export const BATCH = 500;

/** SQL: deletes a batch of grants. $1 is the target, $2 the size of a batch. */
const deletion = (condition: string, locks = ''): string => `
  delete from grants where grant_id = any(array(
    select grant_id from grants where ${condition} limit $2 for update ${locks}))
  returning grant_id, site_id, person_id, client_id`;

/** Grants that have ended, of which rows are left. */
@Injectable()
export class GrantEndingsRepository {
  /**
   * Ends the existing grants of a target. The caller has locked the target, so that each other grant is written before
   * or waits. Deletes a batch, and records the ending of the others.
   */
  async end(
    manager: EntityManager,
    { target, target_id }: GrantsTarget,
    reason: RevocationReason,
  ): Promise<RevokedGrant[]> {
    const ofTarget = `${COLUMNS[target]} = $1`;
    const deleted = await rows<RevokedGrant>(manager, deletion(ofTarget), [target_id, BATCH]);
    await manager.query(
      `insert into grant_endings as e (target_id, target, reason, ended_at)
       select $1, $2, $3, clock_timestamp() where exists (select from grants where ${ofTarget})
       on conflict (target_id) do update
          set reason = excluded.reason, ended_at = greatest(e.ended_at, excluded.ended_at)`,
      [target_id, target, reason],
    );
    return deleted;
  }

  /** The oldest ending, locked. Undefined when none is left, or other replicas have locked them all. */
  async take(manager: EntityManager): Promise<GrantEnding | undefined> {
    const [ending] = await rows<GrantEnding>(
      manager,
      `select target_id, target, reason, ended_at from grant_endings order by ended_at limit 1
          for update skip locked`,
    );
    return ending;
  }

  /** Deletes the next batch of an ending, which ends with its last grant. Grants that are locked stay. */
  async deleteBatch(manager: EntityManager, { target, target_id, ended_at }: GrantEnding): Promise<RevokedGrant[]> {
    const ended = `${COLUMNS[target]} = $1 and created_at <= $3`;
    const values = [target_id, BATCH, ended_at];
    const deleted = await rows<RevokedGrant>(manager, deletion(ended, 'skip locked'), values);
    if (deleted.length === BATCH) return deleted;
    await manager.query(
      `delete from grant_endings where target_id = $1 and not exists (
         select from grants where ${COLUMNS[target]} = $1 and created_at <= $2)`,
      [target_id, ended_at],
    );
    return deleted;
  }
}
