import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Course } from './course.entity.js';

@Injectable()
export class CourseLecturersRepository {
  /**
   * Replaces the lecturers of the locked course.
   *
   * @throws `validation_failed` for a lecturer that the site does not have.
   */
  async replace(tx: EntityManager, { site_id, id }: Course, lecturer_ids: readonly string[]): Promise<void> {
    await tx.query('delete from course_lecturers where site_id = $1 and course_id = $2', [site_id, id]);
    const named = await tx.query<unknown[]>(
      `insert into course_lecturers (site_id, course_id, lecturer_id, position)
       select $1, $2, l.id, named.position
       from unnest($3::uuid[]) with ordinality named (id, position)
       join lecturers l on l.site_id = $1 and l.id = named.id
       for key share of l
       returning lecturer_id`,
      [site_id, id, lecturer_ids],
    );
    if (named.length === lecturer_ids.length) return;
    throw new ApiError('validation_failed', 'This site has no such lecturer', {
      errors: [{ pointer: '/lecturer_ids', code: 'not_found', detail: 'Each is the id of a lecturer of this site' }],
    });
  }

  /** Courses change with their lecturers, so they are locked first. The lock of the lecturer then keeps other courses from naming them. */
  async withdraw(tx: EntityManager, { site_id, id }: Pick<Course, 'site_id' | 'id'>): Promise<void> {
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
    await tx.query(
      `with withdrawn as (
         delete from course_lecturers where site_id = $1 and lecturer_id = $2 returning course_id
       )
       update courses c set version = c.version + 1, updated_at = now() from withdrawn
       where c.site_id = $1 and c.id = withdrawn.course_id`,
      key,
    );
  }
}
