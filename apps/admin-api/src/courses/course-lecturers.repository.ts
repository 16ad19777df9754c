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
       returning lecturer_id`,
      [site_id, id, lecturer_ids],
    );
    if (named.length === lecturer_ids.length) return;
    throw new ApiError('validation_failed', 'This site has no such lecturer', {
      errors: [{ pointer: '/lecturer_ids', code: 'not_found', detail: 'Each is the id of a lecturer of this site' }],
    });
  }
}
