import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CourseState } from '#src/courses/course.policy.js';
import type { Enrollment } from './enrollment.entity.js';
import type { EnrollmentSource } from './enrollment.policy.js';

interface Site {
  readonly site_id: string;
}

interface Opening {
  readonly student_id: string;
  readonly course_id: string;
  readonly source: EnrollmentSource;
  readonly expires_at: Date | null;
}

const LIVE = `('pending', 'active')`;

/** SQL of the person of an enrollment, by the name of its table. */
export function personOf(table: string): string {
  return `(select s.person_id from students s where s.site_id = ${table}.site_id and s.id = ${table}.student_id)`;
}

const row = (table: string): string => `${table}.*, ${personOf(table)} as person_id`;

/**
 * The counters of the course and of the student change in the statement that opens or ends an enrollment. Callers hold
 * the lock on the student, so of two requests for one student and one course, the second sees the work of the first.
 */
@Injectable()
export class EnrollmentRepository {
  constructor(private readonly sql: Sql) {}

  /**
   * Makes an enrollment, or makes the one that had ended active again, and counts it. Undefined when nothing was done: a
   * live one exists, the course does not exist, or the course is archived.
   */
  async open(tx: EntityManager, { site_id }: Site, opening: Opening): Promise<Enrollment | undefined> {
    const [opened] = await tx.query<Enrollment[]>(
      `with course as (
         update courses set enrollments_count = enrollments_count + 1
         where site_id = $1 and id = $3 and state <> 'archived'
           and not exists (
             select 1 from enrollments
             where site_id = $1 and student_id = $2 and course_id = $3 and state in ${LIVE})
         returning id
       ), student as (
         update students set enrollments_count = enrollments_count + 1
         where site_id = $1 and id = $2 and exists (select 1 from course)
       )
       insert into enrollments as e (site_id, student_id, course_id, source, expires_at)
       select $1, $2, course.id, $4, $5 from course
       on conflict on constraint enrollments_student_course do update
         set state = 'active', source = excluded.source, started_at = now(), expires_at = excluded.expires_at,
             version = e.version + 1, revision = e.revision + 1, updated_at = now()
       returning ${row('e')}`,
      [site_id, opening.student_id, opening.course_id, opening.source, opening.expires_at],
    );
    return opened;
  }

  /** Ends a live enrollment and uncounts it. Undefined when it is not live, or when it shall expire and is not due. */
  async end(
    tx: EntityManager,
    { site_id }: Site,
    id: string,
    to: 'revoked' | 'expired',
  ): Promise<Enrollment | undefined> {
    const due = to === 'expired' ? 'and e.expires_at <= now()' : '';
    const [ended] = await tx.query<Enrollment[]>(
      `with ended as (
         update enrollments e set state = $3, version = e.version + 1, revision = e.revision + 1, updated_at = now()
         where e.site_id = $1 and e.id = $2 and e.state in ${LIVE} ${due}
         returning e.*
       ), student as (
         update students s set enrollments_count = s.enrollments_count - 1 from ended
         where s.site_id = ended.site_id and s.id = ended.student_id
       ), course as (
         update courses c set enrollments_count = c.enrollments_count - 1 from ended
         where c.site_id = ended.site_id and c.id = ended.course_id
       )
       select ${row('ended')} from ended`,
      [site_id, id, to],
    );
    return ended;
  }

  /** The state of a course, in the transaction. */
  async courseState(tx: EntityManager, { site_id }: Site, course_id: string): Promise<CourseState | undefined> {
    const text = 'select state from courses where site_id = $1 and id = $2';
    const [course] = await tx.query<{ state: CourseState }[]>(text, [site_id, course_id]);
    return course?.state;
  }

  /** Gives each enrollment of a student a higher version, so that it can be sent again. It is no edit. */
  async touchAll(tx: EntityManager, { site_id }: Site, student_id: string): Promise<Enrollment[]> {
    return tx.query<Enrollment[]>(
      `with touched as (
         update enrollments e set version = e.version + 1 where e.site_id = $1 and e.student_id = $2 returning e.*
       )
       select ${row('touched')} from touched order by created_at, id`,
      [site_id, student_id],
    );
  }

  /** Enrollments of any site whose time is over. */
  due(limit: number): Promise<Pick<Enrollment, 'site_id' | 'id' | 'student_id'>[]> {
    return this.sql.query(
      {
        name: 'enrollments_due',
        text: `select site_id, id, student_id from enrollments
               where state = 'active' and expires_at is not null and expires_at <= now() order by expires_at limit $1`,
      },
      [limit],
    );
  }
}
