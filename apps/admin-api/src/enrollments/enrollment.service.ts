import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, Written } from '@lyceum/collections';
import type { enrollmentEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { LINE, changedColumns, isAmong, listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { CoursePlanService } from '#src/course-plans/course-plan.service.js';
import type { Student } from '#src/students/student.entity.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import { accessOf, expiredAt, isStanding, withoutAccess } from './access.policy.js';
import type { Grant } from './access.policy.js';
import { AccessService } from './access.service.js';
import type { Settlement } from './access.service.js';
import { decideAll, keyOf, unchanged } from './enrollment.changes.js';
import type { Enrolling } from './enrollment.changes.js';
import { accessAt, grantsOf } from './enrollment.entity.js';
import type { Enrollment } from './enrollment.entity.js';
import {
  completionAfter,
  isLive,
  requireActive,
  requireRevocable,
  requireExpirable,
  requireUnrevoked,
} from './enrollment.policy.js';
import type { Completion } from './enrollment.policy.js';
import { EnrollmentRepository } from './enrollment.repository.js';
import type {
  EnrollmentCreate,
  EnrollmentExtension,
  EnrollmentItem,
  EnrollmentListQuery,
  EnrollmentPatch,
} from './enrollment.schema.js';
import { enrollment as resource } from './enrollment.schema.js';
import { extendedEnd, requireOneEnd, withEnd } from './extension.policy.js';
import { enrollmentStore } from './enrollment.store.js';
import type { EnrollmentStore } from './enrollment.store.js';

interface LockedEnrollment {
  readonly student: Student;
  readonly row: Enrollment;
}

/** Without the student, an enrollment is found by its id alone. */
type EnrollmentKey = Key & { readonly student_id?: string };

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
    students.linked.add((tx, student) => this.#resend(tx, student));
    students.erased.add((tx, student) => this.#resend(tx, student));
  }

  /** Lists enrollments of the site, of one student or in one course. */
  async list(
    caller: Caller,
    query: EnrollmentListQuery,
    of: { readonly student_id?: string; readonly course_id?: string } = {},
  ): Promise<Page<Enrollment>> {
    const { state } = query;
    const page = await listBelow(this.#enrollments.list(caller, query, of), () =>
      of.student_id !== undefined ? this.students.get(caller, of.student_id) : undefined,
    );
    if (state === undefined || query[LINE] !== undefined) return page;
    // The index has the state that the clock last wrote.
    const now = new Date();
    return { ...page, rows: page.rows.filter((row) => isAmong(accessAt(row, now).state, state)) };
  }

  get(caller: Caller, id: string, of: { readonly student_id?: string } = {}): Promise<Enrollment> {
    return this.#enrollments.get(caller, id, of);
  }

  /** Idempotent: the same terms again change nothing. @throws `already_exists` for other terms */
  async enroll(
    caller: Caller,
    student_id: string,
    input: Enrolling<EnrollmentCreate>,
    tx: EntityManager,
  ): Promise<Created<Enrollment>> {
    const [outcome] = await this.enrollAll(caller, [{ ...input, student_id }], tx);
    if (outcome === undefined) throw new Error('An enrollment has no result');
    if (outcome instanceof ApiError) throw outcome;
    return outcome;
  }

  /**
   * Enrolls many students as `enroll` does, in a constant number of statements. An item that repeats another one gets
   * the same enrollment; one with other terms is refused. Returns the error of each refused item.
   */
  async enrollAll(
    caller: Caller,
    items: readonly Enrolling<EnrollmentItem>[],
    tx: EntityManager,
  ): Promise<readonly (Created<Enrollment> | ApiError)[]> {
    requireAdministrator(caller, 'enroll students');
    const students = await this.students.lockAll(
      caller,
      items.map(({ student_id }) => student_id),
      tx,
    );
    const pairs = new Map(
      items.filter(({ student_id }) => students.has(student_id)).map((item) => [keyOf(item), item]),
    );
    const places = await this.access.lock(caller, [...pairs.values()], tx);
    const changes = new Map(places.map((place) => [keyOf(place), unchanged(place)]));
    const plans = await this.plans.terms(
      tx,
      caller,
      items.flatMap(({ plan_id }) => plan_id ?? []),
    );
    const keys = items.flatMap(({ external_id }) => external_id ?? []);
    const keyed = await this.repository.ofExternalIds(tx, caller, keys);
    // After the locks: another request may have changed the access while this one waited.
    const now = new Date();
    const decisions = decideAll(items, { students, plans, changes, keyed }, now);
    // A refused item changes nothing, also when time has changed the state of its enrollment.
    const accepted = new Set(decisions.flatMap(({ key, error }) => (error === undefined ? [key] : [])));
    const settled = [...changes].flatMap(([key, change]) => (accepted.has(key) ? [change] : []));
    const written = await this.access.settleAll(tx, caller, settled, { now });
    const byPair = new Map(written.map((one) => [keyOf(one.row), one]));
    return decisions.map(({ key, error, isSecond }) => {
      if (error !== undefined) return error;
      const one = byPair.get(key);
      if (one === undefined) throw new Error('An enrollment was decided and not written');
      return isSecond === true ? { row: one.row, changed: false, created: false } : one;
    });
  }

  /**
   * Sets the end of access, and changes the data of the school. An expired enrollment becomes active again and keeps
   * its progress.
   */
  async update(
    caller: Caller,
    key: EnrollmentKey,
    { expires_at, ...patch }: EnrollmentPatch,
    tx: EntityManager,
  ): Promise<Written<Enrollment>> {
    const locked = await this.#lock(caller, key, tx);
    const own = changedColumns(locked.row, patch, resource);
    await this.#requireFree(caller, own?.external_id ?? null, tx);
    const now = new Date();
    if (expires_at === undefined) {
      if (own === undefined) return { row: locked.row, changed: false };
      return this.access.settle(tx, locked.row, (grants) => grants, { now, own });
    }
    requireUnrevoked(accessAt(locked.row, now).state);
    return this.#endAt(caller, locked, { expires_at, now, own }, tx);
  }

  /** Adds days to the access, or moves its end. Revoked access is active again; nothing is shortened. */
  async extend(
    caller: Caller,
    key: EnrollmentKey,
    extension: EnrollmentExtension,
    tx: EntityManager,
  ): Promise<Written<Enrollment>> {
    requireOneEnd(extension);
    const locked = await this.#lock(caller, key, tx);
    const time_zone = await this.repository.timeZone(tx, caller);
    const now = new Date();
    const expires_at = extendedEnd(extension, accessAt(locked.row, now), { now, time_zone });
    return this.#endAt(caller, locked, { expires_at, now }, tx);
  }

  /** Ends access now, as its end date would. */
  async expire(caller: Caller, key: EnrollmentKey, tx: EntityManager): Promise<Written<Enrollment>> {
    const { row } = await this.#lock(caller, key, tx);
    const now = new Date();
    requireExpirable(accessAt(row, now).state);
    return this.access.settle(tx, row, (grants) => expiredAt(grants, now), { now });
  }

  async #endAt(
    caller: Caller,
    { student, row }: LockedEnrollment,
    { expires_at, ...settlement }: Omit<Settlement, 'event'> & { readonly expires_at: Date | null },
    tx: EntityManager,
  ): Promise<Written<Enrollment>> {
    const { now } = settlement;
    const access = accessAt(row, now);
    const decide = (grants: readonly Grant[]) => withEnd(grants, { expires_at, access, student: student.state }, now);
    if (!isLive(access.state)) await this.access.requireOpenCourse(caller, row.course_id, tx);
    return this.access.settle(tx, row, decide, { ...settlement, event: 'extended' });
  }

  async revoke(caller: Caller, key: EnrollmentKey, tx: EntityManager): Promise<Written<Enrollment>> {
    const { row } = await this.#lock(caller, key, tx);
    const now = new Date();
    if (!grantsOf(row).some((grant) => isStanding(grant, now))) requireRevocable(accessAt(row, now).state);
    return this.access.settle(tx, row, (grants) => withoutAccess(grants, now), { now });
  }

  /** Locks a student and an enrollment that is active now or was active at `at`. */
  async lockActive(
    caller: Caller,
    { student_id, course_id }: { readonly student_id: string; readonly course_id: string },
    at: Date,
    tx: EntityManager,
  ): Promise<{ student: Student; row: Enrollment }> {
    const student = await this.students.lock(caller, student_id, tx);
    requireActiveStudent(student.state);
    const row = await this.#enrollments.findLocked(tx, caller, { student_id, course_id });
    const covers = row !== undefined && accessOf(grantsOf(row), at).state === 'active';
    if (!covers) requireActive(row && accessAt(row).state);
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

  republication(): Republication<typeof enrollmentEvents> {
    return this.#enrollments.republication();
  }

  /** @throws `already_exists` if an enrollment has the external id, with its id unless the fence hides it */
  async #requireFree(caller: Caller, external_id: string | null, tx: EntityManager): Promise<void> {
    if (external_id === null) return;
    const { site_id } = caller;
    if ((await this.#enrollments.find({ site_id }, { external_id }, tx)) === undefined) return;
    this.#enrollments.taken('external_id', await this.#enrollments.find(caller, { external_id }, tx));
  }

  /** Publishes all enrollments of a student again, with the current person. */
  async #resend(tx: EntityManager, student: Pick<Student, 'site_id' | 'id'>): Promise<void> {
    const touched = await this.repository.touchAll(tx, student, student.id);
    for (const row of touched) await this.#enrollments.publish(tx, row, 'linked');
  }

  async #lock(caller: Caller, { id, ...key }: EnrollmentKey, tx: EntityManager): Promise<LockedEnrollment> {
    const student_id = key.student_id ?? (await this.#enrollments.get(caller, id, {}, tx)).student_id;
    const student = await this.students.lock(caller, student_id, tx);
    const row = await this.#enrollments.lock(tx, caller, id, { student_id });
    this.#enrollments.requireMatch(row, key);
    return { student, row };
  }
}
