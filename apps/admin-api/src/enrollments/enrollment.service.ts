import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, Written } from '@lyceum/collections';
import type { enrollmentEvents } from '@lyceum/contracts';
import type { Republication } from '@lyceum/messaging';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { CoursePlanService } from '#src/course-plans/course-plan.service.js';
import type { Student } from '#src/students/student.entity.js';
import { StudentService } from '#src/students/student.service.js';
import { endingAt, isByHand, isStanding, withoutAccess } from './access.policy.js';
import type { Grant } from './access.policy.js';
import { AccessService } from './access.service.js';
import { accessAt, grantsOf } from './enrollment.entity.js';
import type { Enrollment } from './enrollment.entity.js';
import {
  completionAfter,
  isLive,
  requireActive,
  requireActiveStudent,
  requireFuture,
  requireRevocable,
} from './enrollment.policy.js';
import type { Completion } from './enrollment.policy.js';
import { EnrollmentRepository } from './enrollment.repository.js';
import type { EnrollmentCreate, EnrollmentListQuery, EnrollmentPatch } from './enrollment.schema.js';
import { enrollmentStore } from './enrollment.store.js';
import type { EnrollmentStore } from './enrollment.store.js';

type EnrollmentKey = Key & { readonly student_id: string };

/** Enrollments by operators, who grant and revoke access by hand. */
@Injectable()
export class EnrollmentService {
  readonly #enrollments: EnrollmentStore;

  constructor(
    stores: SiteStores,
    private readonly access: AccessService,
    private readonly repository: EnrollmentRepository,
    private readonly students: StudentService,
    private readonly plans: CoursePlanService,
  ) {
    this.#enrollments = enrollmentStore(stores);
  }

  /** Lists enrollments of the site or of one student. */
  async list(
    caller: Caller,
    query: EnrollmentListQuery,
    of: { readonly student_id?: string } = {},
  ): Promise<Page<Enrollment>> {
    const { state } = query;
    const page = await this.#enrollments.list(caller, query, of);
    // A page with rows proves that the student exists.
    if (page.rows.length === 0 && of.student_id !== undefined) await this.students.get(caller, of.student_id);
    if (state === undefined) return page;
    // The index has the state that the clock last wrote.
    const now = new Date();
    return { ...page, rows: page.rows.filter((row) => accessAt(row, now).state === state) };
  }

  get(caller: Caller, id: string, of: { readonly student_id?: string } = {}): Promise<Enrollment> {
    return this.#enrollments.get(caller, id, of);
  }

  /** Idempotent: access by an operator keeps its end. */
  async enroll(
    caller: Caller,
    student_id: string,
    { course_id, plan_id, source, expires_at }: EnrollmentCreate,
    tx: EntityManager,
  ): Promise<Created<Enrollment>> {
    requireAdministrator(caller, 'enroll students');
    const now = new Date();
    requireFuture(expires_at ?? null, now);
    const student = await this.students.lock(caller, student_id, tx);
    requireActiveStudent(student.state);
    const ends_at = await this.#endOf(caller, { course_id, plan_id, expires_at }, now, tx);
    const grant = {
      id: null,
      source: source === 'import' ? source : 'manual',
      source_id: null,
      plan_id,
      starts_at: now,
      ends_at,
      revoked_at: null,
    } as const;
    const row = await this.#enrollments.findLocked(tx, caller, { student_id, course_id });
    if (row === undefined) return this.access.open(caller, { student_id, course_id, source }, grant, tx);
    if (grantsOf(row).some((one) => isByHand(one) && isStanding(one, now))) {
      return { row, changed: false, created: false };
    }
    await this.access.requireOpenCourse(caller, course_id, tx);
    const written = await this.access.settle(tx, row, (grants) => [...grants, grant], { now, source });
    return { ...written, created: false };
  }

  /** Sets the end of access. An ended enrollment becomes active again and keeps its progress. */
  async extend(
    caller: Caller,
    key: EnrollmentKey,
    { expires_at }: EnrollmentPatch,
    tx: EntityManager,
  ): Promise<Written<Enrollment>> {
    const { student, row } = await this.#lock(caller, key, tx);
    if (expires_at === undefined) return { row, changed: false };
    const now = new Date();
    const { state, started_at } = accessAt(row, now);
    const decide = (grants: readonly Grant[]): readonly Grant[] => {
      const decided = endingAt(grants, expires_at, now);
      if (decided.every((grant) => grants.includes(grant))) return grants;
      requireFuture(expires_at, state === 'pending' ? started_at : now);
      requireActiveStudent(student.state);
      return decided;
    };
    if (!isLive(state)) await this.access.requireOpenCourse(caller, row.course_id, tx);
    return this.access.settle(tx, row, decide, { now, event: 'extended' });
  }

  async revoke(caller: Caller, key: EnrollmentKey, tx: EntityManager): Promise<Written<Enrollment>> {
    const { row } = await this.#lock(caller, key, tx);
    const now = new Date();
    if (!grantsOf(row).some((grant) => isStanding(grant, now))) requireRevocable(accessAt(row, now).state);
    return this.access.settle(tx, row, (grants) => withoutAccess(grants, now), { now });
  }

  /** The active enrollment of a student, locked with the student. */
  async lockActive(
    caller: Caller,
    { student_id, course_id }: { readonly student_id: string; readonly course_id: string },
    now: Date,
    tx: EntityManager,
  ): Promise<{ student: Student; row: Enrollment }> {
    const student = await this.students.lock(caller, student_id, tx);
    requireActiveStudent(student.state);
    const row = await this.#enrollments.findLocked(tx, caller, { student_id, course_id });
    requireActive(row && accessAt(row, now).state);
    return { student, row: row as Enrollment };
  }

  /**
   * Records progress on a locked enrollment. Publishes only a changed completion: each lecture has an event of its own.
   *
   * @param completion of its lectures so far
   * @param moved whether the progress in a lecture changed
   */
  async noteProgress(
    tx: EntityManager,
    row: Enrollment,
    { completion, moved }: { readonly completion: Completion; readonly moved: boolean },
  ): Promise<Enrollment> {
    const next = completionAfter(row, completion);
    const changed = (['completion_rate', 'completed_at'] as const).filter((member) => next[member] !== row[member]);
    if (changed.length === 0 && !moved) return row;
    const noted = await this.repository.noteProgress(tx, row, { ...next, publishes: changed.length > 0 });
    if (changed.length > 0) await this.#enrollments.publish(tx, noted, 'progressed', undefined, changed);
    return noted;
  }

  /** Publishes all enrollments of a student with the current person of the student. */
  async resend(caller: Caller, student: Pick<Student, 'id'>, tx: EntityManager): Promise<void> {
    const touched = await this.repository.touchAll(tx, caller, student.id);
    for (const row of touched) await this.#enrollments.publish(tx, row, 'linked');
  }

  republication(): Republication<typeof enrollmentEvents> {
    return this.#enrollments.republication();
  }

  /** The end of new access: the given one, or that of the plan, or never. */
  async #endOf(
    caller: Caller,
    { course_id, plan_id, expires_at }: Pick<EnrollmentCreate, 'course_id' | 'plan_id' | 'expires_at'>,
    now: Date,
    tx: EntityManager,
  ): Promise<Date | null> {
    if (plan_id === null) return expires_at ?? null;
    // A deletion of the plan waits for the lock of the course.
    await this.access.requireOpenCourse(caller, course_id, tx);
    const end = await this.plans.accessEnd(tx, caller, { course_id, plan_id }, now);
    if (expires_at !== undefined) return expires_at;
    requireFuture(end, now, '/plan_id');
    return end;
  }

  async #lock(
    caller: Caller,
    { student_id, id, ifMatch }: EnrollmentKey,
    tx: EntityManager,
  ): Promise<{ student: Student; row: Enrollment }> {
    const student = await this.students.lock(caller, student_id, tx);
    const row = await this.#enrollments.lock(tx, caller, id, { student_id });
    this.#enrollments.requireMatch(row, { ifMatch });
    return { student, row };
  }
}
