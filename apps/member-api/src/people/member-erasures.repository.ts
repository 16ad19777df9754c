import { Injectable } from '@nestjs/common';
import { isNewerState } from '@lyceum/contracts';
import type { StateVersion } from '@lyceum/contracts';
import { deleteBatch } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { RoleEvent } from './people.repository.js';

type Membership = Pick<RoleEvent['data'], 'site_id' | 'person_id'>;

const OF_MEMBER = 'site_id = $1 and person_id = $2';

/** Rows of one statement. */
const BATCH = 5_000;

/**
 * Rows of a member that this service owns, and progress: events of the school name no person after the erasure, and the
 * versions of two enrollments are not comparable. Events of the school end the rest.
 */
const ERASED = ['notifications', 'outbound_mails', 'notification_subscriptions', 'lecture_progress', 'playbacks'];

@Injectable()
export class MemberErasuresRepository {
  /**
   * Locks the memberships of erasing events until the transaction ends. Leaves out an event whose member has returned,
   * as the stored membership says: the rows of today are of the returned member.
   */
  async lockCurrent(events: readonly RoleEvent[], tx: EntityManager): Promise<RoleEvent[]> {
    if (events.length === 0) return [];
    const stored = await tx.query<(Membership & StateVersion)[]>(
      `select site_id, person_id, epoch::float8 as epoch, version from memberships
       where (site_id, person_id) in (select * from unnest($1::uuid[], $2::uuid[]))
       order by person_id, site_id for update`,
      [events.map(({ data }) => data.site_id), events.map(({ data }) => data.person_id)],
    );
    return events.filter(({ epoch, aggregate_version: version, data }) => {
      const known = stored.find((one) => one.site_id === data.site_id && one.person_id === data.person_id);
      return known === undefined || !isNewerState(known, { epoch, version });
    });
  }

  /** Stores the instant up to which events belong to the membership that was erased. */
  async record({ site_id, person_id }: Membership, erased_at: string, tx: EntityManager): Promise<void> {
    await tx.query(
      `insert into member_erasures as old (site_id, person_id, erased_at) values ($1, $2, $3)
       on conflict (site_id, person_id) do update set erased_at = greatest(old.erased_at, excluded.erased_at)`,
      [site_id, person_id, erased_at],
    );
  }

  /** Deletes the rows of the member. */
  async erase({ site_id, person_id }: Membership, tx: EntityManager): Promise<void> {
    const member = [site_id, person_id];
    // A delivery that runs now counts after the deletion.
    await tx.query(`select from inbox_counts where ${OF_MEMBER} for update`, member);
    for (const table of ERASED) await deleteAll(tx, table, OF_MEMBER, member);
    await tx.query(
      `delete from inbox_counts
       where ${OF_MEMBER} and not exists (select from notifications where ${OF_MEMBER} and read_at is null)`,
      member,
    );
  }
}

async function deleteAll(tx: EntityManager, table: string, where: string, values: readonly unknown[]): Promise<void> {
  while ((await deleteBatch(tx, { table, where, limit: BATCH }, values)).found > 0);
}
