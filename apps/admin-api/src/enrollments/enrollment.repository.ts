import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CourseState } from '#src/courses/course.policy.js';
import { Where, listStatement } from '@lyceum/rest';
import type { Position } from '@lyceum/rest';
import type { EnrollmentSource, EnrollmentState } from './enrollment.policy.js';
import type { EnrollmentListQuery } from './enrollment.schema.js';

interface Site {
  readonly site_id: string;
}

/** A row of `enrollments`. */
export interface Enrollment {
  readonly site_id: string;
  readonly id: string;
  readonly student_id: string;
  readonly course_id: string;
  readonly state: EnrollmentState;
  readonly source: EnrollmentSource;
  readonly started_at: Date;
  readonly expires_at: Date | null;
  readonly completion_rate: number;
  readonly completed_at: Date | null;
  /** Of its events. */
  readonly version: number;
  /** Of its edits: what the entity tag shows. */
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface Opening {
  readonly student_id: string;
  readonly course_id: string;
  readonly source: EnrollmentSource;
  readonly expires_at: string | null;
}

const NAMES =
  'site_id id student_id course_id state source started_at expires_at completion_rate completed_at version revision created_at updated_at';
const columns = (table: string): string =>
  NAMES.split(' ')
    .map((column) => `${table}.${column}`)
    .join(', ');

const LIVE = `('pending', 'active')`;

/**
 * The counters of the course and of the student change in the statement that opens or ends an enrolment. Callers hold
 * the lock on the student, so of two who enrol one student in one course, the second sees what the first did.
 */
@Injectable()
export class EnrollmentRepository {
  constructor(private readonly sql: Sql) {}

  list(
    site: Site,
    student_id: string,
    query: EnrollmentListQuery,
    after: Position | undefined,
  ): Promise<(Enrollment & { total_count?: number })[]> {
    const where = new Where(site)
      .and('student_id = ?', student_id)
      .and('state = ?', query.state)
      .and('course_id = ?', query.course_id);
    const statement = listStatement({ columns: columns('enrollments'), table: 'enrollments', where }, query, after);
    return this.sql.query(statement, statement.values);
  }

  async find(site: Site, student_id: string, id: string): Promise<Enrollment | undefined> {
    const rows = await this.sql.query<Enrollment>(
      {
        name: 'enrollments_find',
        text: `select ${columns('e')} from enrollments e where site_id = $1 and id = $2 and student_id = $3`,
      },
      [site.site_id, id, student_id],
    );
    return rows[0];
  }

  /** As `find`, in a transaction that holds the lock on the student. */
  async read(tx: EntityManager, site: Site, student_id: string, id: string): Promise<Enrollment | undefined> {
    const rows = await tx.query<Enrollment[]>(
      `select ${columns('e')} from enrollments e where site_id = $1 and id = $2 and student_id = $3`,
      [site.site_id, id, student_id],
    );
    return rows[0];
  }

  /**
   * Makes an enrolment, or makes the one that had ended active again, and counts it. Null when nothing was done: there is
   * a live one already, or no such course, or the course is archived.
   */
  async open(tx: EntityManager, site: Site, opening: Opening): Promise<Enrollment | null> {
    const [row] = await tx.query<Enrollment[]>(
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
       returning ${columns('e')}`,
      [site.site_id, opening.student_id, opening.course_id, opening.source, opening.expires_at],
    );
    return row ?? null;
  }

  /** Why `open` did nothing: the state of the course, and the live enrolment. */
  async obstacle(
    tx: EntityManager,
    site: Site,
    opening: Pick<Opening, 'student_id' | 'course_id'>,
  ): Promise<{ course_state: CourseState; live: Enrollment | null } | undefined> {
    const [row] = await tx.query<(Enrollment & { course_state: CourseState })[]>(
      `select c.state as course_state, ${columns('e')}
       from courses c
       left join enrollments e on e.site_id = c.site_id and e.course_id = c.id and e.student_id = $2 and e.state in ${LIVE}
       where c.site_id = $1 and c.id = $3`,
      [site.site_id, opening.student_id, opening.course_id],
    );
    if (row === undefined) return undefined;
    const { course_state, ...enrollment } = row;
    return { course_state, live: enrollment.id === null ? null : enrollment };
  }

  /** Ends a live enrolment and uncounts it. Null when it is not live any more, or not due when only due ones shall end. */
  async end(tx: EntityManager, site: Site, id: string, to: 'revoked' | 'expired'): Promise<Enrollment | null> {
    const due = to === 'expired' ? 'and e.expires_at <= now()' : '';
    const [row] = await tx.query<Enrollment[]>(
      `with ended as (
         update enrollments e set state = $3, version = e.version + 1, revision = e.revision + 1, updated_at = now()
         where e.site_id = $1 and e.id = $2 and e.state in ${LIVE} ${due}
         returning ${columns('e')}
       ), student as (
         update students s set enrollments_count = s.enrollments_count - 1 from ended
         where s.site_id = ended.site_id and s.id = ended.student_id
       ), course as (
         update courses c set enrollments_count = c.enrollments_count - 1 from ended
         where c.site_id = ended.site_id and c.id = ended.course_id
       )
       select ${columns('ended')} from ended`,
      [site.site_id, id, to],
    );
    return row ?? null;
  }

  /** Another end for a live enrolment; its time may have come while nobody looked, and then it is on time again. */
  async reschedule(
    tx: EntityManager,
    site: Site,
    id: string,
    expires_at: string | null,
  ): Promise<Enrollment | undefined> {
    const rows = await tx.query<Enrollment[]>(
      `with changed as (
         update enrollments e set expires_at = $3, version = e.version + 1, revision = e.revision + 1, updated_at = now()
         where e.site_id = $1 and e.id = $2 and e.state in ${LIVE}
         returning ${columns('e')}
       )
       select ${columns('changed')} from changed`,
      [site.site_id, id, expires_at],
    );
    return rows[0];
  }

  /** A higher version of each enrollment of a student, so that it can be sent again. It is no edit. */
  async touchAll(tx: EntityManager, site: Site, student_id: string): Promise<Enrollment[]> {
    return tx.query<Enrollment[]>(
      `with touched as (
         update enrollments e set version = e.version + 1
         where e.site_id = $1 and e.student_id = $2
         returning ${columns('e')}
       )
       select ${columns('touched')} from touched order by created_at, id`,
      [site.site_id, student_id],
    );
  }

  /** The next ones of all sites by site and id, with whose they are, unchanged until the transaction ends. */
  share(
    tx: EntityManager,
    [site_id, id]: readonly string[],
    limit: number,
  ): Promise<(Enrollment & { readonly person_id: string | null })[]> {
    return tx.query<(Enrollment & { readonly person_id: string | null })[]>(
      `select ${columns('e')}, s.person_id
       from enrollments e join students s on s.site_id = e.site_id and s.id = e.student_id
       where (e.site_id, e.id) > ($1, $2) order by e.site_id, e.id limit $3 for share`,
      [site_id, id, limit],
    );
  }

  /** Enrolments whose time is over, of any site. */
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
