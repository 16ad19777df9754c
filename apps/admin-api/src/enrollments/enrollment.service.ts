import { SiteStores } from '@lyceum/collections';
import type { Created, Key, SiteStore, Written } from '@lyceum/collections';
import { enrollmentEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import { iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireOpenForEnrollment } from '#src/courses/course.policy.js';
import type { Student } from '#src/students/student.entity.js';
import { StudentService } from '#src/students/student.service.js';
import { Enrollment } from './enrollment.entity.js';
import { extension, isLive, requireActiveStudent, requireFuture, revocation } from './enrollment.policy.js';
import { EnrollmentRepository, personOf } from './enrollment.repository.js';
import { enrollment as resource } from './enrollment.schema.js';
import type { EnrollmentCreate, EnrollmentListQuery, EnrollmentPatch } from './enrollment.schema.js';

type Site = Pick<Principal, 'site_id'>;
type EnrollmentKey = Key & { readonly student_id: string };

@Injectable()
export class EnrollmentService {
  readonly #enrollments: SiteStore<Enrollment, typeof enrollmentEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: EnrollmentRepository,
    private readonly students: StudentService,
    private readonly outbox: Outbox,
  ) {
    this.#enrollments = stores.of({
      entity: Enrollment,
      resource,
      computed: { person_id: personOf('enrollments') },
      events: enrollmentEvents,
      data: (row) => ({
        enrollment_id: row.id,
        site_id: row.site_id,
        student_id: row.student_id,
        person_id: row.person_id,
        course_id: row.course_id,
        state: row.state,
        source: row.source,
        started_at: iso(row.started_at),
        expires_at: iso(row.expires_at),
        completion_rate: row.completion_rate,
        completed_at: iso(row.completed_at),
      }),
    });
  }

  async list(site: Site, student_id: string, query: EnrollmentListQuery): Promise<Page<Enrollment>> {
    const page = await this.#enrollments.list(site, query, { student_id });
    // Only an empty page leaves open whether the student exists.
    if (page.rows.length === 0) await this.students.get(site, student_id);
    return page;
  }

  get(site: Site, student_id: string, id: string): Promise<Enrollment> {
    return this.#enrollments.get(site, id, { student_id });
  }

  /** Idempotent: a live enrollment stays as it is, with the end that it has. */
  async enroll(
    site: Site,
    student_id: string,
    input: EnrollmentCreate,
    tx: EntityManager,
  ): Promise<Created<Enrollment>> {
    requireFuture(input.expires_at, new Date());
    const student = await this.students.lock(site, student_id, tx);
    requireActiveStudent(student.state);
    const opened = await this.repository.open(tx, site, { ...input, student_id });
    if (opened !== undefined) {
      await this.#enrollments.publish(tx, opened, 'activated');
      return { row: opened, changed: true, created: opened.version === 1 };
    }
    const { course_id } = input;
    const known = await this.#enrollments.findLocked(tx, site, { student_id, course_id });
    if (known === undefined || !isLive(known.state)) return this.#refuse(site, course_id, tx);
    return { row: known, changed: false, created: false };
  }

  /** Sets when access ends. An enrollment that had ended is active again, with the progress that it has. */
  async extend(
    site: Site,
    key: EnrollmentKey,
    { expires_at }: EnrollmentPatch,
    tx: EntityManager,
  ): Promise<Written<Enrollment>> {
    const { student, row } = await this.#lock(site, key, tx);
    const kind = extension(row.state, row.expires_at, expires_at);
    if (kind === 'nothing' || expires_at === undefined) return { row, changed: false };
    requireFuture(expires_at, new Date());
    requireActiveStudent(student.state);
    if (kind === 'reschedule') return this.#enrollments.write(tx, row, { event: 'extended', changes: { expires_at } });
    const { course_id, source } = row;
    const opening = { student_id: student.id, course_id, source, expires_at };
    const opened = await this.repository.open(tx, site, opening);
    if (opened === undefined) return this.#refuse(site, course_id, tx);
    await this.#enrollments.publish(tx, opened, 'extended');
    return { row: opened, changed: true };
  }

  async revoke(site: Site, key: EnrollmentKey, tx: EntityManager): Promise<Written<Enrollment>> {
    const { row } = await this.#lock(site, key, tx);
    if (revocation(row.state) === 'nothing') return { row, changed: false };
    const revoked = await this.#end(site, row.id, 'revoked', tx);
    if (revoked === undefined) throw new Error('An enrollment ended although its student was locked');
    return { row: revoked, changed: true };
  }

  /** Publishes all enrollments of a student with the person of the student as it is now. */
  async resend(site: Site, student: Pick<Student, 'id'>, tx: EntityManager): Promise<void> {
    const touched = await this.repository.touchAll(tx, site, student.id);
    for (const row of touched) await this.#enrollments.publish(tx, row, 'linked');
  }

  /** Ends at most `limit` enrollments whose time is over. Returns how many it looked at. */
  async expire(limit: number): Promise<number> {
    const due = await this.repository.due(limit);
    for (const { site_id, student_id, id } of due) {
      await this.outbox.transaction(async (tx) => {
        await this.students.lock({ site_id }, student_id, tx);
        // Nothing ends when another replica was quicker, or when the enrollment was extended this moment.
        await this.#end({ site_id }, id, 'expired', tx);
      });
    }
    return due.length;
  }

  republication(): Republication<typeof enrollmentEvents> {
    return this.#enrollments.republication();
  }

  async #lock(
    site: Site,
    { student_id, id, ifMatch }: EnrollmentKey,
    tx: EntityManager,
  ): Promise<{ student: Student; row: Enrollment }> {
    const student = await this.students.lock(site, student_id, tx);
    const row = await this.#enrollments.lock(tx, site, id, { student_id });
    this.#enrollments.requireMatch(row, { ifMatch });
    return { student, row };
  }

  async #end(site: Site, id: string, to: 'revoked' | 'expired', tx: EntityManager): Promise<Enrollment | undefined> {
    const ended = await this.repository.end(tx, site, id, to);
    if (ended !== undefined) await this.#enrollments.publish(tx, ended, to);
    return ended;
  }

  /** Says why no enrollment was opened although none is live: the student is locked, so it is the course. */
  async #refuse(site: Site, course_id: string, tx: EntityManager): Promise<never> {
    const state = await this.repository.courseState(tx, site, course_id);
    if (state === undefined) {
      throw new Outcome('validation_failed', 'This site has no such course', {
        errors: [{ pointer: '/course_id', code: 'not_found', detail: 'No course of this site' }],
      });
    }
    requireOpenForEnrollment(state);
    throw new Error(`Course ${course_id} is open, and no enrollment was made`);
  }
}
