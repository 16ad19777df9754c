import { TEACHING_ROLES } from '@lyceum/contracts';
import type { OfSite } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { lockForDeletion } from '#src/references/lock-for-deletion.js';
import type { Lecturer } from './lecturer.entity.js';
import { LECTURER_ROLES } from './lecturer.policy.js';

/** A member of a site, with the address under which auth knows the person. */
interface Teacher extends OfSite {
  readonly member_id: string;
  readonly email: string;
}

/** A removed member, with the texts that named the person. */
interface Removed extends Omit<Teacher, 'email'> {
  readonly former: readonly string[];
}

/**
 * SQL that locks the links of all lecturers of a site: without it, a role event and a lecturer with a new address could
 * miss each other. A transaction takes it before it locks a lecturer.
 */
function lockLinks(lock: string): string {
  return `select ${lock}(hashtextextended(concat_ws(' ', 'lecturer_links', $1::text), 0))`;
}
/** Role events do not wait for each other. */
const FOLLOWING = lockLinks('pg_advisory_xact_lock_shared');
const CHANGING = lockLinks('pg_advisory_xact_lock');

@Injectable()
export class LecturerRepository {
  /** Makes role events of the site wait for the end of the transaction. Lecturers that get addresses need it. */
  async lockLinks(tx: EntityManager, { site_id }: OfSite): Promise<void> {
    await tx.query(CHANGING, [site_id]);
  }

  /** Links the lecturers of the address to the member, except those that an administrator has unlinked. */
  link(tx: EntityManager, { site_id, member_id, email }: Teacher): Promise<Lecturer[]> {
    const of = 'l.email = $3 and l.member_id is null and l.follows_email';
    return this.#follow(tx, 'member_id = $2', of, [site_id, member_id, email]);
  }

  unlink(tx: EntityManager, { site_id, member_id }: Teacher): Promise<Lecturer[]> {
    return this.#follow(tx, 'member_id = null', 'l.member_id = $2', [site_id, member_id]);
  }

  /**
   * Erases the address of a removed member, also where the link to the member has ended. The school has published the
   * rest.
   */
  forget(tx: EntityManager, { site_id, member_id, former }: Removed): Promise<Lecturer[]> {
    const of = '(l.member_id = $2 or l.email = any($3::text[]))';
    return this.#follow(tx, 'email = null, member_id = nullif(l.member_id, $2)', of, [site_id, member_id, former]);
  }

  /** The members with a teaching role whom auth has announced under the addresses, by address. */
  async teachersOf(
    tx: EntityManager,
    { site_id }: OfSite,
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (emails.length === 0) return new Map();
    const found = await tx.query<Pick<Teacher, 'email' | 'member_id'>[]>(
      `select id as member_id, email from members where site_id = $1 and email = any($2::text[]) and roles && $3`,
      [site_id, emails, TEACHING_ROLES],
    );
    return new Map(found.map(({ email, member_id }) => [email, member_id]));
  }

  /** Whether the site has the member, with a role that a lecturer may have. */
  async hasMember(tx: EntityManager, { site_id }: OfSite, member_id: string): Promise<boolean> {
    const text = 'select 1 from members where site_id = $1 and id = $2 and roles && $3';
    return (await tx.query<unknown[]>(text, [site_id, member_id, LECTURER_ROLES])).length > 0;
  }

  /**
   * Removes the lecturer from all courses. Locks these courses first, then the lecturer, so that no other course can
   * add the lecturer.
   *
   * @throws `resource_in_use` for the only lecturer of a published course, for one of a consulting service or slot, and
   *   for the author of a post.
   */
  async leaveCourses(tx: EntityManager, { site_id, id }: Pick<Lecturer, 'site_id' | 'id'>): Promise<void> {
    const key = [site_id, id];
    await tx.query(
      `select 1 from courses c where c.site_id = $1 and c.id in (
         select course_id from course_lecturers where site_id = $1 and lecturer_id = $2
       ) order by c.id for no key update`,
      key,
    );
    await lockForDeletion(tx, 'lecturers', { site_id, id });
    const [needed] = await tx.query<unknown[]>(
      `select 1 from course_lecturers cl join courses c on c.site_id = cl.site_id and c.id = cl.course_id
       where cl.site_id = $1 and cl.lecturer_id = $2 and c.state = 'published' and not exists (
         select 1 from course_lecturers o
         where o.site_id = cl.site_id and o.course_id = cl.course_id and o.lecturer_id <> cl.lecturer_id
       ) limit 1`,
      key,
    );
    if (needed !== undefined) {
      throw new ApiError('resource_in_use', 'A published course has no other lecturer', {
        hint: 'Give the course another lecturer, or unpublish it',
      });
    }
    const [held] = await tx.query<unknown[]>(
      `select 1 where exists (select 1 from consulting_service_lecturers where site_id = $1 and lecturer_id = $2)
         or exists (select 1 from consulting_slots where site_id = $1 and lecturer_id = $2)`,
      key,
    );
    if (held !== undefined) {
      throw new ApiError('resource_in_use', 'The lecturer holds sessions of a consulting service', {
        hint: 'Hide the lecturer instead',
      });
    }
    const [written] = await tx.query<unknown[]>(
      'select 1 from posts where site_id = $1 and author_id = $2 limit 1',
      key,
    );
    if (written !== undefined) {
      throw new ApiError('resource_in_use', 'Posts have the lecturer as their author', {
        hint: 'List them with author_id and set another author, or hide the lecturer',
      });
    }
    await tx.query(
      `with withdrawn as (
         delete from course_lecturers where site_id = $1 and lecturer_id = $2 returning course_id
       )
       update courses c set version = c.version + 1, updated_at = now() from withdrawn
       where c.site_id = $1 and c.id = withdrawn.course_id`,
      key,
    );
  }

  /** Changes the lecturers of a member. The statement after the lock sees the addresses that others have written. */
  async #follow(tx: EntityManager, set: string, of: string, values: readonly unknown[]): Promise<Lecturer[]> {
    await tx.query(FOLLOWING, [values[0]]);
    return tx.query<Lecturer[]>(
      `with changed as (
         update lecturers l set ${set}, version = l.version + 1, updated_at = now()
         where l.site_id = $1 and ${of} returning l.*
       )
       select * from changed order by id`,
      [...values],
    );
  }
}
