import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Enrollment } from '#src/enrollments/enrollment.entity.js';
import type { Completion } from '#src/enrollments/enrollment.policy.js';
import type { Progress } from './progress.entity.js';

/** SQL of what is read with each row, by property. */
export const PERSON =
  '(select s.person_id from students s where s.site_id = progress.site_id and s.id = progress.student_id)';

@Injectable()
export class ProgressRepository {
  /** The completion of the published lectures of the course of an enrollment. */
  async completion(
    tx: EntityManager,
    { site_id, id, course_id }: Pick<Enrollment, 'site_id' | 'id' | 'course_id'>,
  ): Promise<Completion> {
    const [completion] = await tx.query<Completion[]>(
      `select coalesce(count(p.id)::float8 / nullif(count(*), 0), 0) as completion_rate,
         max(p.completed_at) as completed_at
       from lectures l
       left join progress p on p.site_id = l.site_id and p.enrollment_id = $2 and p.lecture_id = l.id and p.completed
       where l.site_id = $1 and l.course_id = $3 and l.state = 'published'`,
      [site_id, id, course_id],
    );
    return completion ?? { completion_rate: 0, completed_at: null };
  }

  /** Increments the version of all progress of a student, so consumers accept the next events. `updated_at` stays. */
  touchAll(tx: EntityManager, { site_id }: { readonly site_id: string }, student_id: string): Promise<Progress[]> {
    return tx.query<Progress[]>(
      `with progress as (
         update progress p set version = p.version + 1 where p.site_id = $1 and p.student_id = $2 returning p.*
       )
       select *, ${PERSON} as person_id from progress order by created_at, id`,
      [site_id, student_id],
    );
  }
}
