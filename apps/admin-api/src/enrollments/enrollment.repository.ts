import type { OfSite } from '@lyceum/contracts';
import { preparedQuery } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { CourseState } from '#src/courses/course.policy.js';
import { TIME_ZONE } from '#src/school/school.statements.js';
import type { Access, Grant } from './access.policy.js';
import { grantsJson } from './enrollment.entity.js';
import { FIND, LOCK, WRITE, WRITE_NEW, row } from './enrollment.statements.js';
import type { Enrollment } from './enrollment.entity.js';
import type { Completion, EnrollmentSource } from './enrollment.policy.js';
import type { OwnData } from './own-data.policy.js';

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
  /** Undefined: the enrollment is new. */
  readonly before: Enrollment | undefined;
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

/** A course of any site. */
export type CourseKey = OfSite & Pick<Pair, 'course_id'>;

interface Noting extends Completion {
  /** True if the change is published. */
  readonly publishes: boolean;
}

const KEYED = {
  name: 'enrollments_of_external_ids',
  text: `select id, student_id, course_id, external_id from enrollments
    where site_id = $1 and external_id = any($2::text[])`,
};

const ZONE = { name: 'enrollments_time_zone', text: `select ${TIME_ZONE} as time_zone` };

/** PostgreSQL locks the course before the student. It skips a locked course, and its students stay free. */
const LOCK_DUE = {
  name: 'enrollments_lock_due',
  text: `select e.site_id, e.student_id, e.course_id
    from enrollments e
    join courses c on c.site_id = e.site_id and c.id = e.course_id
    join students s on s.site_id = e.site_id and s.id = e.student_id
    where e.changes_at <= $1 order by e.changes_at limit $2 for no key update of c, s skip locked`,
};

/** The longest wait for a lock of a course. */
const COURSE_WAIT = '2s';
/** SQLSTATEs of `lock_timeout` and `statement_timeout`. */
const TOO_LONG: readonly unknown[] = ['55P03', '57014'];

export function waitedTooLong(error: unknown): boolean {
  return error instanceof QueryFailedError && TOO_LONG.includes(Reflect.get(error.driverError, 'code'));
}

/**
 * The statement that opens or ends enrollments also updates the counters of courses and students. Callers lock the
 * students first. So the second of two requests for a student and a course sees the result of the first.
 */
@Injectable()
export class EnrollmentRepository {
  /** Locks the courses and reads the enrollments of locked students in them, in one statement. */
  lock(tx: EntityManager, site: OfSite, pairs: readonly Pair[]): Promise<Place[]> {
    return this.#places(tx, LOCK, site, pairs);
  }

  /** The same without locks. */
  find(tx: EntityManager, site: OfSite, pairs: readonly Pair[]): Promise<Place[]> {
    return this.#places(tx, FIND, site, pairs);
  }

  /** The IANA name of the zone on whose calendar access is extended by days. */
  async timeZone(tx: EntityManager, { site_id }: OfSite): Promise<string> {
    const [row] = await preparedQuery<{ readonly time_zone: string }>(tx, ZONE, [site_id]);
    return row?.time_zone ?? 'UTC';
  }

  async #places(tx: EntityManager, how: Statement, { site_id }: OfSite, pairs: readonly Pair[]): Promise<Place[]> {
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
    { site_id }: OfSite,
    enrollments: readonly Writing[],
  ): Promise<ReadonlyMap<string, Enrollment>> {
    const [first, ...others] = enrollments;
    const isNew = first?.before === undefined && first?.changed.length === 1 && others.length === 0;
    const written = isNew
      ? await preparedQuery<Enrollment>(tx, WRITE_NEW, newValues(site_id, first))
      : await preparedQuery<Enrollment>(tx, WRITE, manyValues(site_id, enrollments));
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
    { site_id }: OfSite,
    external_ids: readonly string[],
  ): Promise<Map<string, KeyedPair>> {
    if (external_ids.length === 0) return new Map();
    const found = await preparedQuery<KeyedPair & { readonly external_id: string }>(tx, KEYED, [site_id, external_ids]);
    return new Map(found.map(({ external_id, ...pair }) => [external_id, pair]));
  }

  /** The state of a course, which stays until the transaction ends. */
  async courseState(tx: EntityManager, { site_id }: OfSite, course_id: string): Promise<CourseState | undefined> {
    const text = 'select state from courses where site_id = $1 and id = $2 for no key update';
    const [course] = await tx.query<{ state: CourseState }[]>(text, [site_id, course_id]);
    return course?.state;
  }

  /** Returns enrollments with access by a source, at the site or in one course. */
  ofSource(
    tx: EntityManager,
    { site_id }: OfSite,
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
  async touchAll(tx: EntityManager, { site_id }: OfSite, student_id: string): Promise<Enrollment[]> {
    return tx.query<Enrollment[]>(
      `with touched as (
         update enrollments e set version = e.version + 1 where e.site_id = $1 and e.student_id = $2 returning e.*
       )
       select ${row('touched')} from touched order by created_at, id`,
      [site_id, student_id],
    );
  }

  /**
   * Locks courses and students of all sites with enrollments that are due for another state, and returns these. It
   * leaves out those that another transaction has locked: replicas take different ones, and a site waits for no other.
   */
  lockDue(tx: EntityManager, now: Date, limit: number): Promise<(OfSite & Pair)[]> {
    return preparedQuery(tx, LOCK_DUE, [now, limit]);
  }

  /** The courses with due enrollments, the oldest first. */
  dueCourses(tx: EntityManager, now: Date): Promise<CourseKey[]> {
    const text = `select site_id, course_id from enrollments where changes_at <= $1
      group by site_id, course_id order by min(changes_at)`;
    return tx.query(text, [now]);
  }

  /** Locks a course, as the first work of a transaction. @throws {QueryFailedError} see `waitedTooLong` */
  async waitForCourse(tx: EntityManager, { site_id, course_id }: CourseKey): Promise<void> {
    await tx.query(`select set_config('lock_timeout', $1, true)`, [COURSE_WAIT]);
    await this.courseState(tx, { site_id }, course_id);
  }
}

function manyValues(site_id: string, enrollments: readonly Writing[]): readonly unknown[] {
  const given = enrollments.map(({ id, student_id, course_id, source, live, own, access }) => {
    return { id, student_id, course_id, source, live, ...own, ...access };
  });
  const grants = enrollments.flatMap(({ id, changed }) => changed.map((one) => ({ ...one, enrollment_id: id })));
  return [site_id, JSON.stringify(given), JSON.stringify(grants)];
}

/** Values of the statement for one new enrollment with one grant. */
function newValues(site_id: string, { id, student_id, course_id, ...one }: Writing): readonly unknown[] {
  const { source, live, own, access, changed } = one;
  const [grant] = changed;
  const enrollment = [site_id, id, student_id, course_id, source, own.external_id, JSON.stringify(own.metadata)];
  const period = [access.state, access.started_at, access.expires_at, access.changes_at, live];
  const ofGrant = [grant?.id, grant?.source, grant?.source_id, grant?.plan_id];
  return [...enrollment, ...period, ...ofGrant, grant?.starts_at, grant?.ends_at, grant?.revoked_at];
}
