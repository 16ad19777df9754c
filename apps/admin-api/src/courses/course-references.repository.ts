import type { Fence } from '@lyceum/collections';
import type { OfSite } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Sql, preparedQuery, preparedStatement } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Course } from './course.entity.js';

/** Lists of other objects of the site that a course names, by member. */
const LISTS = {
  lecturer_ids: { table: 'course_lecturers', column: 'lecturer_id', of: 'lecturers', one: 'lecturer' },
  category_ids: { table: 'course_categories', column: 'category_id', of: 'categories', one: 'category' },
} as const;
type Member = keyof typeof LISTS;
const LISTED = Object.entries(LISTS) as [Member, (typeof LISTS)[Member]][];

/** Lecturers and categories of a course, which have tables of their own. */
interface CourseLists {
  readonly id: string;
  readonly lists: Readonly<Partial<Record<Member, readonly string[]>>>;
}

/** A lecturer, as an expanded course shows it. */
export interface CourseLecturer {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly title: string | null;
  readonly avatar_url: string | null;
  readonly visible: boolean;
}

const LECTURERS = `
  select taught.course_id, l.id, l.slug, l.name, l.title, l.avatar_url, l.visible
  from course_lecturers taught
  join lecturers l on l.site_id = taught.site_id and l.id = taught.lecturer_id
  where taught.site_id = $1 and taught.course_id = any($2::uuid[])`;

@Injectable()
export class CourseReferencesRepository {
  constructor(private readonly sql: Sql) {}

  /** @param fence limits the lecturers that the caller may see */
  async lecturersOf(
    { site_id }: OfSite,
    courses: readonly Pick<Course, 'id'>[],
    fence: Fence | undefined,
  ): Promise<ReadonlyMap<string, readonly CourseLecturer[]>> {
    const fenced = fence === undefined ? '' : ` and ${fence.condition.replace('?', '$3')}`;
    const text = `${LECTURERS}${fenced} order by taught.course_id, taught.position`;
    const values = [site_id, courses.map(({ id }) => id), ...(fence?.value === undefined ? [] : [fence.value])];
    const statement = preparedStatement('course_lecturers', text, values);
    const found = await this.sql.query<CourseLecturer & { readonly course_id: string }>(statement, values);
    const byCourse = Map.groupBy(found, ({ course_id }) => course_id);
    return new Map(
      courses.map(({ id }) => [id, (byCourse.get(id) ?? []).map(({ course_id: _course, ...lecturer }) => lecturer)]),
    );
  }

  /**
   * Replaces the given lists of locked courses of a site.
   *
   * @throws `validation_failed` for an object that the site does not have.
   */
  async replace(tx: EntityManager, { site_id }: OfSite, courses: readonly CourseLists[]): Promise<void> {
    for (const [member, { table }] of LISTED) {
      const ids = courses.flatMap(({ id, lists }) => (lists[member] === undefined ? [] : [id]));
      if (ids.length === 0) continue;
      const text = `delete from ${table} where site_id = $1 and course_id = any($2::uuid[])`;
      await preparedQuery(tx, { name: `${table}_clear`, text }, [site_id, ids]);
    }
    await this.add(tx, { site_id }, courses);
  }

  /** Inserts the lists of courses whose lists are empty. @throws `validation_failed` as `replace` does. */
  async add(tx: EntityManager, { site_id }: OfSite, courses: readonly CourseLists[]): Promise<void> {
    for (const [member, { table, column, of, one }] of LISTED) {
      const rows = courses.flatMap(({ id, lists }) =>
        (lists[member] ?? []).map((named, index) => ({ id, named, position: index + 1 })),
      );
      if (rows.length === 0) continue;
      const text = `insert into ${table} (site_id, course_id, ${column}, position)
        select $1, named.course_id, o.id, named.position
        from unnest($2::uuid[], $3::uuid[], $4::int[]) named (course_id, id, position)
        join ${of} o on o.site_id = $1 and o.id = named.id
        for key share of o
        returning 1`;
      const values = [rows.map(({ id }) => id), rows.map(({ named }) => named), rows.map(({ position }) => position)];
      const named = await preparedQuery(tx, { name: `${table}_add`, text }, [site_id, ...values]);
      if (named.length === rows.length) continue;
      throw new ApiError('validation_failed', `This site has no such ${one}`, {
        errors: [{ pointer: `/${member}`, code: 'not_found', detail: `Each is the id of a ${one} of this site` }],
      });
    }
  }
}
