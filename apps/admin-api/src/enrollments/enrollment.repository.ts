import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CourseState } from '#src/courses/course.policy.js';
import type { Access, Grant } from './access.policy.js';
import type { Enrollment } from './enrollment.entity.js';
import { isLive } from './enrollment.policy.js';
import type { Completion, EnrollmentSource } from './enrollment.policy.js';

interface Site {
  readonly site_id: string;
}

interface Opening {
  readonly student_id: string;
  readonly course_id: string;
  readonly source: EnrollmentSource;
  readonly grant: Grant;
  readonly access: Access;
}

interface Saving {
  /** New and changed grants. */
  readonly grants: readonly Grant[];
  readonly access: Access;
  readonly source: EnrollmentSource;
}

interface Noting extends Completion {
  /** It will be published. */
  readonly publishes: boolean;
}

const GRANT = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'source', ${alias}.source, 'source_id', ${alias}.source_id,
     'plan_id', ${alias}.plan_id, 'starts_at', ${alias}.starts_at, 'ends_at', ${alias}.ends_at, 'revoked_at', ${alias}.revoked_at)`;

/** SQL of the members that an enrollment has from other tables, by property and table name. */
export function readWith(table: string): Readonly<Record<'person_id' | 'grants' | 'last_watched', string>> {
  return {
    last_watched: `(select json_build_object('lecture_id', p.lecture_id, 'lecture_title', p.lecture_title,
                      'position_seconds', p.position_seconds, 'watched_at', p.watched_at)
                    from progress p where p.site_id = ${table}.site_id and p.student_id = ${table}.student_id
                      and p.course_id = ${table}.course_id
                    order by p.watched_at desc, p.id desc limit 1)`,
    person_id: `(select s.person_id from students s where s.site_id = ${table}.site_id and s.id = ${table}.student_id)`,
    grants: `(select coalesce(json_agg(${GRANT('g')} order by g.starts_at, g.id), '[]') from access_grants g
              where g.site_id = ${table}.site_id and g.enrollment_id = ${table}.id)`,
  };
}

function row(table: string, grants = readWith(table).grants): string {
  const { person_id, last_watched } = readWith(table);
  return `${table}.*, ${person_id} as person_id, ${last_watched} as last_watched, ${grants} as grants`;
}

/**
 * The counters of the course and of the student change in the statement that opens or ends an enrollment. Callers hold
 * the lock on the student, so of two requests for one student and one course, the second sees the work of the first.
 */
@Injectable()
export class EnrollmentRepository {
  constructor(private readonly sql: Sql) {}

  /** Creates and counts an enrollment with its first grant. Undefined if the course does not exist or is archived. */
  async open(tx: EntityManager, { site_id }: Site, opening: Opening): Promise<Enrollment | undefined> {
    const { student_id, course_id, source, grant, access } = opening;
    const [opened] = await tx.query<Enrollment[]>(
      `with course as (
         update courses set enrollments_count = enrollments_count + $4
         where site_id = $1 and id = $3 and state <> 'archived'
         returning id
       ), opened as (
         insert into enrollments (site_id, student_id, course_id, source, state, started_at, expires_at, changes_at)
         select $1, $2, course.id, $5, $6, $7, $8, $9 from course
         returning *
       ), student as (
         update students set enrollments_count = enrollments_count + $4
         where site_id = $1 and id = $2 and exists (select 1 from opened)
       ), granted as (
         insert into access_grants (site_id, enrollment_id, source, source_id, starts_at, ends_at, plan_id)
         select $1, opened.id, $10, $11, $12, $13, $14 from opened
         returning *
       )
       select ${row('opened', `json_build_array(${GRANT('granted')})`)} from opened, granted`,
      [
        site_id,
        student_id,
        course_id,
        Number(isLive(access.state)),
        source,
        access.state,
        access.started_at,
        access.expires_at,
        access.changes_at,
        grant.source,
        grant.source_id,
        grant.starts_at,
        grant.ends_at,
        grant.plan_id,
      ],
    );
    return opened;
  }

  /** Writes grants of a locked enrollment and their sum, and updates the counters. */
  async save(tx: EntityManager, before: Enrollment, { grants, access, source }: Saving): Promise<Enrollment> {
    const { site_id, id } = before;
    if (grants.length > 0) {
      await tx.query(
        `insert into access_grants (site_id, id, enrollment_id, source, source_id, plan_id, starts_at, ends_at, revoked_at)
         select $1, coalesce(g.id, uuidv7()), $2, g.source, g.source_id, g.plan_id, g.starts_at, g.ends_at, g.revoked_at
         from jsonb_to_recordset($3::jsonb) as g (id uuid, source text, source_id uuid, plan_id uuid,
           starts_at timestamptz, ends_at timestamptz, revoked_at timestamptz)
         on conflict (site_id, id) do update
           set starts_at = excluded.starts_at, ends_at = excluded.ends_at, revoked_at = excluded.revoked_at,
               updated_at = now()`,
        [site_id, id, JSON.stringify(grants)],
      );
    }
    const [saved] = await tx.query<Enrollment[]>(
      `with saved as (
         update enrollments
         set state = $3, source = $4, started_at = $5, expires_at = $6, changes_at = $7,
             version = version + 1, revision = revision + 1, updated_at = now()
         where site_id = $1 and id = $2
         returning *
       ), student as (
         update students s set enrollments_count = s.enrollments_count + $8 from saved
         where $8 <> 0 and s.site_id = saved.site_id and s.id = saved.student_id
       ), course as (
         update courses c set enrollments_count = c.enrollments_count + $8 from saved
         where $8 <> 0 and c.site_id = saved.site_id and c.id = saved.course_id
       )
       select ${row('saved')} from saved`,
      [
        site_id,
        id,
        access.state,
        source,
        access.started_at,
        access.expires_at,
        access.changes_at,
        Number(isLive(access.state)) - Number(isLive(before.state)),
      ],
    );
    if (saved === undefined) throw new Error(`Enrollment ${id} is locked and gone`);
    return saved;
  }

  /** The state of a course, which stays until the transaction ends. */
  async courseState(tx: EntityManager, { site_id }: Site, course_id: string): Promise<CourseState | undefined> {
    const text = 'select state from courses where site_id = $1 and id = $2 for no key update';
    const [course] = await tx.query<{ state: CourseState }[]>(text, [site_id, course_id]);
    return course?.state;
  }

  /** Enrollments with access by a source, in the order in which their students are locked. */
  ofSource(
    tx: EntityManager,
    { site_id }: Site,
    { source, source_id }: Pick<Grant, 'source' | 'source_id'>,
  ): Promise<Pick<Enrollment, 'id' | 'student_id'>[]> {
    return tx.query(
      `select e.id, e.student_id from access_grants g
       join enrollments e on e.site_id = g.site_id and e.id = g.enrollment_id
       where g.site_id = $1 and g.source = $2 and g.source_id = $3 and g.revoked_at is null
       order by e.student_id, e.id`,
      [site_id, source, source_id],
    );
  }

  /** Writes the completion of a locked enrollment. It is no edit: `revision` stays. */
  async noteProgress(
    tx: EntityManager,
    { site_id, id }: Enrollment,
    { completion_rate, completed_at, publishes }: Noting,
  ): Promise<Enrollment> {
    const [noted] = await tx.query<Enrollment[]>(
      `with noted as (
         update enrollments
         set completion_rate = $3, completed_at = $4, version = version + $5, updated_at = now()
         where site_id = $1 and id = $2
         returning *
       )
       select ${row('noted')} from noted`,
      [site_id, id, completion_rate, completed_at, Number(publishes)],
    );
    if (noted === undefined) throw new Error(`Enrollment ${id} is locked and gone`);
    return noted;
  }

  /** Raises the version of each enrollment of a student, so that it can be published again. It is no edit. */
  async touchAll(tx: EntityManager, { site_id }: Site, student_id: string): Promise<Enrollment[]> {
    return tx.query<Enrollment[]>(
      `with touched as (
         update enrollments e set version = e.version + 1 where e.site_id = $1 and e.student_id = $2 returning e.*
       )
       select ${row('touched')} from touched order by created_at, id`,
      [site_id, student_id],
    );
  }

  /** Enrollments of all sites that are due for another state. */
  due(now: Date, limit: number): Promise<Pick<Enrollment, 'site_id' | 'id' | 'student_id'>[]> {
    return this.sql.query(
      {
        name: 'enrollments_due',
        text: `select site_id, id, student_id from enrollments where changes_at <= $1 order by changes_at limit $2`,
      },
      [now, limit],
    );
  }
}
