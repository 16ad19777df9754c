import { TEACHING_ROLES } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Lecturer } from './lecturer.entity.js';
import { LECTURER_ROLES } from './lecturer.policy.js';

interface Site {
  readonly site_id: string;
}

/** A member of a site, with the address under which auth knows the person. */
interface Teacher extends Site {
  readonly member_id: string;
  readonly email: string;
}

/** A removed member, with the texts that named the person. */
interface Removed extends Omit<Teacher, 'email'> {
  readonly former: readonly string[];
}

/** SQL that locks addresses: without it, a role event and a lecturer with a new address could miss each other. */
function lockAddresses(lock: string): string {
  return `select ${lock}(hashtextextended(concat_ws(' ', 'lecturer_emails', $1::text, email), 0))
    from unnest($2::text[]) as given (email)`;
}
const LINKING = lockAddresses('pg_advisory_xact_lock');
/** Two lecturers with one address do not wait for each other. */
const LOOKING_UP = lockAddresses('pg_advisory_xact_lock_shared');

@Injectable()
export class LecturerRepository {
  /** Links the lecturers of the address to the member, except those that an administrator has unlinked. */
  async link(tx: EntityManager, { site_id, member_id, email }: Teacher): Promise<Lecturer[]> {
    await tx.query(LINKING, [site_id, [email]]);
    return this.#changed(
      tx,
      `update lecturers set member_id = $2, version = version + 1, updated_at = now()
       where site_id = $1 and email = $3 and member_id is null and follows_email returning *`,
      [site_id, member_id, email],
    );
  }

  unlink(tx: EntityManager, { site_id, member_id }: Teacher): Promise<Lecturer[]> {
    return this.#changed(
      tx,
      `update lecturers set member_id = null, version = version + 1, updated_at = now()
       where site_id = $1 and member_id = $2 returning *`,
      [site_id, member_id],
    );
  }

  /**
   * Erases the address of a removed member, also where the link to the member has ended. The school has published the
   * rest.
   */
  forget(tx: EntityManager, { site_id, member_id, former }: Removed): Promise<Lecturer[]> {
    return this.#changed(
      tx,
      `update lecturers set email = null, member_id = nullif(member_id, $2), version = version + 1, updated_at = now()
       where site_id = $1 and (member_id = $2 or email = any($3::text[])) returning *`,
      [site_id, member_id, former],
    );
  }

  /** The members with a teaching role whom auth has announced under the addresses, by address. */
  async teachersOf(
    tx: EntityManager,
    { site_id }: Site,
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (emails.length === 0) return new Map();
    await tx.query(LOOKING_UP, [site_id, emails]);
    const found = await tx.query<Pick<Teacher, 'email' | 'member_id'>[]>(
      `select id as member_id, email from members where site_id = $1 and email = any($2::text[]) and roles && $3`,
      [site_id, emails, TEACHING_ROLES],
    );
    return new Map(found.map(({ email, member_id }) => [email, member_id]));
  }

  /** Whether the site has the member, with a role that a lecturer may have. */
  async hasMember(tx: EntityManager, { site_id }: Site, member_id: string): Promise<boolean> {
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
    await tx.query('select 1 from lecturers where site_id = $1 and id = $2 for update', key);
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

  async #changed(tx: EntityManager, update: string, values: readonly unknown[]): Promise<Lecturer[]> {
    return tx.query<Lecturer[]>(`with changed as (${update}) select * from changed order by id`, [...values]);
  }
}
