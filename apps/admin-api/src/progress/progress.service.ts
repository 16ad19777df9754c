import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, SiteStore } from '@lyceum/collections';
import { progressEvents } from '@lyceum/contracts';
import type { Republication } from '@lyceum/messaging';
import { iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import type { Enrollment } from '#src/enrollments/enrollment.entity.js';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { StudentService } from '#src/students/student.service.js';
import { Progress } from './progress.entity.js';
import { requireWatched } from './progress.policy.js';
import { PERSON, ProgressRepository } from './progress.repository.js';
import { progress as resource } from './progress.schema.js';
import type { ProgressCreate, ProgressListQuery } from './progress.schema.js';

/** A row of progress, and the enrollment that it hangs on. */
interface Recorded extends Created<Progress> {
  readonly enrollment: Enrollment;
}

/** Where students stopped in lectures, as storefronts and operators record it. */
@Injectable()
export class ProgressService {
  readonly #progress: SiteStore<Progress, typeof progressEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: ProgressRepository,
    private readonly enrollments: EnrollmentService,
    private readonly students: StudentService,
  ) {
    this.#progress = stores.of({
      entity: Progress,
      // Events name the person; lists do not show it.
      resource: { ...resource, details: ['person_id'] },
      fence: ofOwnCourses('course_id'),
      computed: { person_id: PERSON },
      events: progressEvents,
      data: ({
        site_id,
        student_id,
        person_id,
        course_id,
        lecture_id,
        lecture_title,
        position_seconds,
        watched_at,
      }) => ({
        site_id,
        student_id,
        person_id,
        course_id,
        lecture_id,
        lecture_title,
        position_seconds,
        watched_at: iso(watched_at),
      }),
    });
  }

  async list(caller: Caller, query: ProgressListQuery, of: { readonly student_id: string }): Promise<Page<Progress>> {
    const page = await this.#progress.list(caller, query, of);
    // Only an empty page leaves open whether the student exists.
    if (page.rows.length === 0) await this.students.get(caller, of.student_id);
    return page;
  }

  get(caller: Caller, id: string, of: { readonly student_id: string }): Promise<Progress> {
    return this.#progress.get(caller, id, of);
  }

  /**
   * Records progress on an active enrollment, and makes none. Order does not matter: the position of a lecture and the
   * part of the course are each those of the latest `watched_at`.
   *
   * @param at the member of the request that holds `watched_at`
   */
  async record(
    caller: Caller,
    student_id: string,
    { completion_rate, ...step }: ProgressCreate,
    tx: EntityManager,
    at = '/watched_at',
  ): Promise<Recorded> {
    const now = new Date();
    requireWatched(step.watched_at, now, at);
    const { student, row } = await this.enrollments.lockActive(
      caller,
      { student_id, course_id: step.course_id },
      now,
      tx,
    );
    const known = await this.#progress.findLocked(tx, caller, { enrollment_id: row.id, lecture_id: step.lecture_id });
    const written = await this.#write(tx, known, { ...step, student_id: student.id, enrollment_id: row.id }, student);
    const noted = { completion_rate, at: step.watched_at, moved: written.changed };
    const enrollment = await this.enrollments.noteProgress(tx, row, noted);
    return { ...written, enrollment };
  }

  /** Publishes all progress of a student with the person of the student as it is now. */
  async resend(caller: Caller, student: { readonly id: string }, tx: EntityManager): Promise<void> {
    const touched = await this.repository.touchAll(tx, caller, student.id);
    for (const row of touched) await this.#progress.publish(tx, row, 'linked');
  }

  republication(): Republication<typeof progressEvents> {
    return this.#progress.republication();
  }

  async #write(
    tx: EntityManager,
    known: Progress | undefined,
    step: Omit<ProgressCreate, 'completion_rate'> & Pick<Progress, 'student_id' | 'enrollment_id'>,
    { site_id, person_id }: { readonly site_id: string; readonly person_id: string | null },
  ): Promise<Created<Progress>> {
    if (known === undefined) return this.#progress.insert(tx, { site_id }, step, 'recorded', { person_id });
    const { lecture_title, position_seconds, watched_at } = step;
    if (known.watched_at >= watched_at) return { row: known, changed: false, created: false };
    const changes = { lecture_title: lecture_title ?? known.lecture_title, position_seconds, watched_at };
    return { ...(await this.#progress.write(tx, known, { event: 'recorded', changes })), created: false };
  }
}
