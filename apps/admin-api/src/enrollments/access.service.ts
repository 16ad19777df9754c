import { SiteStores } from '@lyceum/collections';
import type { Created, Written } from '@lyceum/collections';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireOpenForEnrollment } from '#src/courses/course.policy.js';
import { StudentService } from '#src/students/student.service.js';
import { accessOf, enrollmentSourceOf, isSameAccess, withSource, withoutSource } from './access.policy.js';
import type { Grant, GrantSource } from './access.policy.js';
import { grantsOf } from './enrollment.entity.js';
import type { Enrollment } from './enrollment.entity.js';
import { isLive, enrollmentEventOf, requireActiveStudent } from './enrollment.policy.js';
import type { EnrollmentSource } from './enrollment.policy.js';
import { EnrollmentRepository } from './enrollment.repository.js';
import { enrollmentStore } from './enrollment.store.js';
import type { EnrollmentStore } from './enrollment.store.js';

type Site = Pick<Principal, 'site_id'>;

/** A source of access: an order, a subscription, a membership, an import. */
export interface AccessSource {
  readonly source: Exclude<GrantSource, 'manual'>;
  readonly source_id: string;
}

interface GivenAccess extends AccessSource {
  readonly student_id: string;
  readonly course_id: string;
  readonly starts_at: Date;
  /** Null: for life. */
  readonly ends_at: Date | null;
}

interface Opening {
  readonly student_id: string;
  readonly course_id: string;
  readonly source: EnrollmentSource;
}

interface Settlement {
  readonly now: Date;
  /** Without it, the name follows from the states. */
  readonly event?: 'extended';
  /** Of an enrollment that becomes live with it. */
  readonly source?: EnrollmentSource;
}

/** Adds and revokes grants of enrollments, and maintains their sums, counters and events. */
@Injectable()
export class AccessService {
  readonly #enrollments: EnrollmentStore;

  constructor(
    stores: SiteStores,
    private readonly repository: EnrollmentRepository,
    private readonly students: StudentService,
    private readonly outbox: Outbox,
  ) {
    this.#enrollments = enrollmentStore(stores);
  }

  /**
   * Gives a student access to a course on behalf of a source. Idempotent by source, student and course: another period
   * replaces the previous one, and revoked access of the source stays revoked.
   */
  async give(
    site: Site,
    { student_id, course_id, ...given }: GivenAccess,
    tx: EntityManager,
  ): Promise<Created<Enrollment>> {
    const now = new Date();
    const grant = { ...given, id: null, plan_id: null, revoked_at: null };
    const source = enrollmentSourceOf(given.source);
    const student = await this.students.lock(site, student_id, tx);
    const row = await this.#enrollments.findLocked(tx, site, { student_id, course_id });
    const known = row !== undefined && grantsOf(row).some((one) => isOf(one, given));
    if (!known) requireActiveStudent(student.state);
    if (row === undefined) return this.open(site, { student_id, course_id, source }, grant, tx);
    if (!known) await this.requireOpenCourse(site, course_id, tx);
    const written = await this.settle(tx, row, (grants) => withSource(grants, grant), { now, source });
    return { ...written, created: false };
  }

  /** Revokes the access of a source in one course or at the whole site. Access by other grants stays. */
  async takeBack(
    site: Site,
    source: AccessSource & { readonly course_id?: string },
    tx: EntityManager,
  ): Promise<readonly Enrollment[]> {
    const now = new Date();
    const changed: Enrollment[] = [];
    for (const { id, student_id } of await this.repository.ofSource(tx, site, source)) {
      await this.students.lock(site, student_id, tx);
      const row = await this.#enrollments.lock(tx, site, id);
      if (source.course_id !== undefined && source.course_id !== row.course_id) continue;
      const written = await this.settle(tx, row, (grants) => withoutSource(grants, source, now), { now });
      if (written.changed) changed.push(written.row);
    }
    return changed;
  }

  /** Creates the enrollment of a locked student with its first grant. */
  async open(site: Site, opening: Opening, grant: Grant, tx: EntityManager): Promise<Created<Enrollment>> {
    const access = accessOf([grant], new Date());
    const row = await this.repository.open(tx, site, { ...opening, grant, access });
    if (row === undefined) {
      await this.requireOpenCourse(site, opening.course_id, tx);
      throw new Error(`Course ${opening.course_id} is open, and no enrollment was made`);
    }
    await this.#enrollments.publish(tx, row, isLive(access.state) ? 'activated' : 'expired');
    return { row, changed: true, created: true };
  }

  /** Changes the grants of a locked enrollment of a locked student, and publishes the change of access. */
  async settle(
    tx: EntityManager,
    before: Enrollment,
    decide: (grants: readonly Grant[]) => readonly Grant[],
    { now, event, source = before.source }: Settlement,
  ): Promise<Written<Enrollment>> {
    const known = grantsOf(before);
    const decided = decide(known);
    const grants = decided.filter((grant) => !known.includes(grant));
    const access = accessOf(decided, now);
    const same = isSameAccess(before, access);
    if (grants.length === 0 && same) return { row: before, changed: false };
    const reopened = isLive(access.state) && !isLive(before.state);
    const row = await this.repository.save(tx, before, { grants, access, source: reopened ? source : before.source });
    if (!same) await this.#enrollments.publish(tx, row, event ?? enrollmentEventOf(before.state, access.state));
    return { row, changed: true };
  }

  /** Moves at most `limit` enrollments to the state of the current time. Returns the number of enrollments it read. */
  async followClock(limit: number): Promise<number> {
    const due = await this.repository.due(new Date(), limit);
    for (const { site_id, student_id, id } of due) {
      await this.outbox.transaction(async (tx) => {
        await this.students.lock({ site_id }, student_id, tx);
        const row = await this.#enrollments.lock(tx, { site_id }, id);
        // Another replica may have been quicker, or an operator may have just extended the enrollment.
        await this.settle(tx, row, (grants) => grants, { now: new Date() });
      });
    }
    return due.length;
  }

  /** @throws when no enrollment can begin in the course. */
  async requireOpenCourse(site: Site, course_id: string, tx: EntityManager): Promise<void> {
    const state = await this.repository.courseState(tx, site, course_id);
    if (state === undefined) {
      throw new ApiError('validation_failed', 'This site has no such course', {
        errors: [{ pointer: '/course_id', code: 'not_found', detail: 'No course of this site' }],
      });
    }
    requireOpenForEnrollment(state);
  }
}

function isOf(grant: Grant, { source, source_id }: AccessSource): boolean {
  return grant.source === source && grant.source_id === source_id;
}
