import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

interface CourseKey {
  readonly site_id: string;
  readonly id: string;
}

/** Lists of other objects of the site that a course names, by member. */
const LISTS = {
  lecturer_ids: { table: 'course_lecturers', column: 'lecturer_id', of: 'lecturers', one: 'lecturer' },
  category_ids: { table: 'course_categories', column: 'category_id', of: 'categories', one: 'category' },
} as const;
type Member = keyof typeof LISTS;

/** Members of a course that other tables keep. */
export type CourseReferences = Readonly<Partial<Record<Member, readonly string[]>>>;

@Injectable()
export class CourseReferencesRepository {
  /**
   * Replaces the given lists of the locked course.
   *
   * @throws `validation_failed` for an object that the site does not have.
   */
  async replace(tx: EntityManager, course: CourseKey, lists: CourseReferences): Promise<void> {
    for (const member of Object.keys(LISTS) as Member[]) {
      const ids = lists[member];
      if (ids !== undefined) await this.#replace(tx, course, member, ids);
    }
  }

  async #replace(tx: EntityManager, { site_id, id }: CourseKey, member: Member, ids: readonly string[]): Promise<void> {
    const { table, column, of, one } = LISTS[member];
    await tx.query(`delete from ${table} where site_id = $1 and course_id = $2`, [site_id, id]);
    if (ids.length === 0) return;
    const named = await tx.query<unknown[]>(
      `insert into ${table} (site_id, course_id, ${column}, position)
       select $1, $2, o.id, named.position
       from unnest($3::uuid[]) with ordinality named (id, position)
       join ${of} o on o.site_id = $1 and o.id = named.id
       for key share of o
       returning ${column}`,
      [site_id, id, ids],
    );
    if (named.length === ids.length) return;
    throw new ApiError('validation_failed', `This site has no such ${one}`, {
      errors: [{ pointer: `/${member}`, code: 'not_found', detail: `Each is the id of a ${one} of this site` }],
    });
  }
}
