import { enrollmentEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Pager, iso, requireMatch } from '@lyceum/rest';
import type { Page, Written } from '@lyceum/rest';
import { requireOpenForEnrollment } from '#src/courses/course.policy.js';
import { StudentService } from '#src/students/student.service.js';
import { extension, requireActiveStudent, requireFuture, revocation } from './enrollment.policy.js';
import { EnrollmentRepository } from './enrollment.repository.js';
import type { Enrollment } from './enrollment.repository.js';
import type { EnrollmentCreate, EnrollmentListQuery, EnrollmentPatch } from './enrollment.schema.js';

type Site = Pick<Principal, 'site_id'>;

/** `created`: none existed before, live or ended. */
export interface Enrolled extends Written<Enrollment> {
  readonly created: boolean;
}

@Injectable()
export class EnrollmentService {
  constructor(
    private readonly enrollments: EnrollmentRepository,
    private readonly students: StudentService,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
  ) {}

  async list(principal: Principal, student_id: string, query: EnrollmentListQuery): Promise<Page<Enrollment>> {
    const list = { collection: `students/${student_id}/enrollments`, site_id: principal.site_id };
    const page = await this.pager.page(list, query, (after) =>
      this.enrollments.list(principal, student_id, query, after),
    );
    // Only an empty page leaves open whether the student exists.
    if (page.rows.length === 0) await this.students.get(principal, student_id);
    return page;
  }

  async get(principal: Principal, student_id: string, id: string): Promise<Enrollment> {
    const enrollment = await this.enrollments.find(principal, student_id, id);
    if (enrollment === undefined) throw missing();
    return enrollment;
  }

  /** Idempotent: who is enrolled already stays so, with the end that the enrolment has. */
  async enroll(
    principal: Principal,
    student_id: string,
    input: EnrollmentCreate,
    tx: EntityManager,
  ): Promise<Enrolled> {
    requireFuture(input.expires_at, new Date());
    const student = await this.students.lock(principal, student_id, tx);
    requireActiveStudent(student.state);
    const opened = await this.enrollments.open(tx, principal, { ...input, student_id });
    if (opened === null) {
      return { row: await this.#liveOne(principal, student_id, input, tx), changed: false, created: false };
    }
    await this.#announce(tx, opened, 'activated', student.person_id);
    return { row: opened, changed: true, created: opened.version === 1 };
  }

  /** Sets when access ends. An enrolment that had ended is active again, with the progress that it has. */
  async extend(
    principal: Principal,
    key: { readonly student_id: string; readonly id: string; readonly ifMatch: string | undefined },
    { expires_at }: EnrollmentPatch,
    tx: EntityManager,
  ): Promise<Written<Enrollment>> {
    const student = await this.students.lock(principal, key.student_id, tx);
    const enrollment = await this.enrollments.read(tx, principal, student.id, key.id);
    if (enrollment === undefined) throw missing();
    requireMatch(enrollment.revision, key.ifMatch);
    const what = extension(enrollment.state, enrollment.expires_at, expires_at);
    if (what === 'nothing' || expires_at === undefined) return { row: enrollment, changed: false };
    requireFuture(expires_at, new Date());
    requireActiveStudent(student.state);
    const extended =
      what === 'reopen'
        ? await this.enrollments.open(tx, principal, { ...enrollment, expires_at })
        : await this.enrollments.reschedule(tx, principal, enrollment.id, expires_at);
    // The student is locked: only the course can have closed.
    if (extended === null || extended === undefined) {
      return { row: await this.#liveOne(principal, student.id, enrollment, tx), changed: false };
    }
    await this.#announce(tx, extended, 'extended', student.person_id);
    return { row: extended, changed: true };
  }

  async revoke(
    principal: Principal,
    key: { readonly student_id: string; readonly id: string; readonly ifMatch: string | undefined },
    tx: EntityManager,
  ): Promise<Written<Enrollment>> {
    const student = await this.students.lock(principal, key.student_id, tx);
    const enrollment = await this.enrollments.read(tx, principal, student.id, key.id);
    if (enrollment === undefined) throw missing();
    requireMatch(enrollment.revision, key.ifMatch);
    if (revocation(enrollment.state) === 'nothing') return { row: enrollment, changed: false };
    const revoked = await this.enrollments.end(tx, principal, enrollment.id, 'revoked');
    if (revoked === null) throw new Error('An enrolment ended although its student was locked');
    await this.#announce(tx, revoked, 'revoked', student.person_id);
    return { row: revoked, changed: true };
  }

  /** Sends all enrolments of a student with the person who they are known to be now. */
  async resend(
    site: Site,
    student: { readonly id: string; readonly person_id: string | null },
    tx: EntityManager,
  ): Promise<void> {
    const touched = await this.enrollments.touchAll(tx, site, student.id);
    for (const enrollment of touched) await this.#announce(tx, enrollment, 'linked', student.person_id);
  }

  /** Ends at most `limit` enrolments whose time is over; the number of those that it looked at. */
  async expire(limit: number): Promise<number> {
    const due = await this.enrollments.due(limit);
    for (const { site_id, student_id, id } of due) {
      await this.outbox.transaction(async (tx) => {
        const student = await this.students.lock({ site_id }, student_id, tx);
        const expired = await this.enrollments.end(tx, { site_id }, id, 'expired');
        // Another replica was quicker, or the enrolment was extended this moment.
        if (expired !== null) await this.#announce(tx, expired, 'expired', student.person_id);
      });
    }
    return due.length;
  }

  async #liveOne(
    site: Site,
    student_id: string,
    input: Pick<EnrollmentCreate, 'course_id'>,
    tx: EntityManager,
  ): Promise<Enrollment> {
    const obstacle = await this.enrollments.obstacle(tx, site, { student_id, course_id: input.course_id });
    if (obstacle === undefined) {
      throw new Outcome('validation_failed', 'There is no such course at this site', {
        errors: [{ pointer: '/course_id', code: 'not_found', detail: 'No course of this site' }],
      });
    }
    if (obstacle.live !== null) return obstacle.live;
    requireOpenForEnrollment(obstacle.course_state);
    throw new Error(`Nobody was enrolled in course ${input.course_id}, and nothing speaks against it`);
  }

  republication(): Republication<typeof enrollmentEvents> {
    return {
      events: enrollmentEvents,
      batch: async (tx, after, limit) => {
        const enrollments = await this.enrollments.share(tx, after, limit);
        return enrollments.map((row) => ({ key: [row.site_id, row.id], event: toEvent(row, row.person_id) }));
      },
    };
  }

  #announce(
    tx: EntityManager,
    row: Enrollment,
    event: (typeof enrollmentEvents.names)[number],
    person_id: string | null,
  ): Promise<void> {
    return this.outbox.add(tx, enrollmentEvents, event, toEvent(row, person_id));
  }
}

function toEvent(row: Enrollment, person_id: string | null): NewEvent<typeof enrollmentEvents> {
  return {
    aggregate_id: row.id,
    aggregate_version: row.version,
    site_id: row.site_id,
    data: {
      enrollment_id: row.id,
      site_id: row.site_id,
      student_id: row.student_id,
      person_id,
      course_id: row.course_id,
      state: row.state,
      source: row.source,
      started_at: iso(row.started_at),
      expires_at: iso(row.expires_at),
      completion_rate: row.completion_rate,
      completed_at: iso(row.completed_at),
    },
  };
}

function missing(): Outcome {
  return new Outcome('not_found', 'The student has no such enrolment');
}
