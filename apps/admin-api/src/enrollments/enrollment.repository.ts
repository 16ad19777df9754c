import { Sql, preparedQuery } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CourseState } from '#src/courses/course.policy.js';
import type { Access, Grant } from './access.policy.js';
import { grantsJson } from './enrollment.entity.js';
import type { Enrollment } from './enrollment.entity.js';
import type { Completion, EnrollmentSource } from './enrollment.policy.js';
import type { OwnData } from './own-data.policy.js';

interface Site {
  readonly site_id: string;
}

export interface Pair {
  readonly student_id: string;
  readonly course_id: string;
}

/** An enrollment with an external id. Without an id, the same request makes it. */
export interface KeyedPair extends Pair {
  readonly id?: string;
}

/** An enrollment after a change of its grants. */
interface Writing extends Pair {
  /** The service also generates the id of a new enrollment. */
  readonly id: string;
  readonly source: EnrollmentSource;
  readonly own: OwnData;
  readonly access: Access;
  /** Change of the number of live enrollments: -1, 0 or 1. */
  readonly live: number;
  /** All grants, including unchanged ones. */
  readonly grants: readonly Grant[];
  /** New and changed grants. */
  readonly changed: readonly Grant[];
}

/** A row of a course, with the enrollment if one exists. */
interface LockedRow {
  readonly of_student: string;
  readonly of_course: string;
  readonly course_state: CourseState | null;
}

/** The locked course and the enrollment of a locked student in it, as far as they exist. */
export interface Place extends Pair {
  /** Undefined: the site has no such course. */
  readonly course: CourseState | undefined;
  readonly row: Enrollment | undefined;
}

interface Noting extends Completion {
  /** True if the change is published. */
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
 * The limit keeps the look-up of each pair apart. Without it a plan may compute the members of all enrollments of the
 * site before it joins them. A plan for the values would expect fewer pairs than one for all values, so PostgreSQL
 * would plan each execution. It does not see the values of subqueries.
 */
const PLACES = `with course as materialized (
      select id, state from courses where site_id = $1 and id = any((select $3::uuid[])::uuid[]) order by id
    )
    select of.student_id as of_student, of.course_id as of_course, course.state as course_state, known.*
    from unnest((select $2::uuid[]), (select $3::uuid[])) as of (student_id, course_id)
    left join course on course.id = of.course_id
    left join lateral (
      select ${row('e')} from enrollments e
      where e.site_id = $1 and e.student_id = of.student_id and e.course_id = of.course_id
      limit 1
    ) known on true`;
const FIND = { name: 'enrollments_find', text: PLACES };
/** Locks courses in the order of their ids, so that two requests with the same courses do not deadlock. */
const LOCK = { name: 'enrollments_lock', text: PLACES.replace('order by id', 'order by id for no key update') };

/**
 * Adds up the changes of each counter, because one statement can update a row only once. Requests that take the same
 * external ids wait for each other in their order.
 */
const WRITE = {
  name: 'enrollments_write',
  text: `with given as (
      select * from jsonb_to_recordset($2::jsonb) as g (id uuid, student_id uuid, course_id uuid, source text,
        external_id text, metadata jsonb, state text, started_at timestamptz, expires_at timestamptz,
        changes_at timestamptz, live int)
    ), written as (
      insert into enrollments (site_id, id, student_id, course_id, source, external_id, metadata, state, started_at,
        expires_at, changes_at)
      select $1, id, student_id, course_id, source, external_id, metadata, state, started_at, expires_at, changes_at
      from given order by external_id
      on conflict (site_id, id) do update
        set source = excluded.source, external_id = excluded.external_id, metadata = excluded.metadata,
            state = excluded.state, started_at = excluded.started_at, expires_at = excluded.expires_at,
            changes_at = excluded.changes_at,
            version = enrollments.version + 1, revision = enrollments.revision + 1, updated_at = now()
      returning *
    ), granted as (
      insert into access_grants (site_id, id, enrollment_id, source, source_id, plan_id, starts_at, ends_at, revoked_at)
      select $1, g.id, g.enrollment_id, g.source, g.source_id, g.plan_id, g.starts_at, g.ends_at, g.revoked_at
      from jsonb_to_recordset($3::jsonb) as g (id uuid, enrollment_id uuid, source text, source_id uuid, plan_id uuid,
        starts_at timestamptz, ends_at timestamptz, revoked_at timestamptz)
      on conflict (site_id, id) do update
        set plan_id = excluded.plan_id, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
            revoked_at = excluded.revoked_at, updated_at = now()
    ), student as (
      update students s set enrollments_count = s.enrollments_count + g.live
      from (select student_id, sum(live)::int as live from given group by student_id) g
      where g.live <> 0 and s.site_id = $1 and s.id = g.student_id
    ), course as (
      update courses c set enrollments_count = c.enrollments_count + g.live
      from (select course_id, sum(live)::int as live from given group by course_id) g
      where g.live <> 0 and c.site_id = $1 and c.id = g.course_id
    )
    select ${row('written', 'null')} from written`,
};

const KEYED = {
  name: 'enrollments_of_external_ids',
  text: `select id, student_id, course_id, external_id from enrollments
    where site_id = $1 and external_id = any($2::text[])`,
};

/**
 * The statement that opens or ends enrollments also updates the counters of courses and students. Callers lock the
 * students first. So the second of two requests for a student and a course sees the result of the first.
 */
@Injectable()
export class EnrollmentRepository {
  constructor(private readonly sql: Sql) {}

  /** Locks the courses and reads the enrollments of locked students in them, in one statement. */
  lock(tx: EntityManager, site: Site, pairs: readonly Pair[]): Promise<Place[]> {
    return this.#places(tx, LOCK, site, pairs);
  }

  /** The same without locks. */
  find(tx: EntityManager, site: Site, pairs: readonly Pair[]): Promise<Place[]> {
    return this.#places(tx, FIND, site, pairs);
  }

  async #places(tx: EntityManager, how: Statement, { site_id }: Site, pairs: readonly Pair[]): Promise<Place[]> {
    const ids = (member: keyof Pair): string[] => pairs.map((pair) => pair[member]);
    const values = [site_id, ids('student_id'), ids('course_id')];
    const found = await preparedQuery<LockedRow & Enrollment>(tx, how, values);
    return found.map(({ of_student: student_id, of_course: course_id, course_state, ...known }) => ({
      student_id,
      course_id,
      course: course_state ?? undefined,
      // The left join returns null for a missing enrollment.
      row: (known.id as string | null) === null ? undefined : known,
    }));
  }

  /**
   * Writes new and changed enrollments, their grants and the counters in one statement. Returns the rows by their ids.
   */
  async write(
    tx: EntityManager,
    { site_id }: Site,
    enrollments: readonly Writing[],
  ): Promise<ReadonlyMap<string, Enrollment>> {
    const given = enrollments.map(({ id, student_id, course_id, source, live, own, access }) => {
      return { id, student_id, course_id, source, live, ...own, ...access };
    });
    const grants = enrollments.flatMap(({ id, changed }) => changed.map((one) => ({ ...one, enrollment_id: id })));
    const values = [site_id, JSON.stringify(given), JSON.stringify(grants)];
    const written = await preparedQuery<Enrollment>(tx, WRITE, values);
    const rows = new Map(written.map((one) => [one.id, one]));
    // A statement does not see the grants that it writes itself.
    for (const { id, grants: all } of enrollments) {
      const known = rows.get(id);
      if (known === undefined) throw new Error(`Enrollment ${id} was not written`);
      known.grants = grantsJson(all);
    }
    return rows;
  }

  /** The enrollments of the site that have one of the external ids, by it. */
  async ofExternalIds(
    tx: EntityManager,
    { site_id }: Site,
    external_ids: readonly string[],
  ): Promise<Map<string, KeyedPair>> {
    if (external_ids.length === 0) return new Map();
    const found = await preparedQuery<KeyedPair & { readonly external_id: string }>(tx, KEYED, [site_id, external_ids]);
    return new Map(found.map(({ external_id, ...pair }) => [external_id, pair]));
  }

  /** The state of a course, which stays until the transaction ends. */
  async courseState(tx: EntityManager, { site_id }: Site, course_id: string): Promise<CourseState | undefined> {
    const text = 'select state from courses where site_id = $1 and id = $2 for no key update';
    const [course] = await tx.query<{ state: CourseState }[]>(text, [site_id, course_id]);
    return course?.state;
  }

  /** Returns enrollments with access by a source, at the site or in one course. */
  ofSource(
    tx: EntityManager,
    { site_id }: Site,
    { source, source_id, course_id }: Pick<Grant, 'source' | 'source_id'> & Partial<Pair>,
  ): Promise<Pair[]> {
    return tx.query(
      `select e.student_id, e.course_id from access_grants g
       join enrollments e on e.site_id = g.site_id and e.id = g.enrollment_id
       where g.site_id = $1 and g.source = $2 and g.source_id = $3 and g.revoked_at is null
         and ($4::uuid is null or e.course_id = $4)
       order by e.student_id, e.id`,
      [site_id, source, source_id, course_id ?? null],
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
