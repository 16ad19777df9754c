import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, SiteStore } from '@lyceum/collections';
import { progressEvents } from '@lyceum/contracts';
import type { LectureReference } from '@lyceum/contracts';
import type { Republication } from '@lyceum/messaging';
import { copyOf, iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import { CurriculumService } from '#src/curriculum/curriculum.service.js';
import type { Enrollment } from '#src/enrollments/enrollment.entity.js';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { requireOccurred } from '#src/occurrences/occurrence.policy.js';
import type { Student } from '#src/students/student.entity.js';
import { StudentService } from '#src/students/student.service.js';
import { Progress } from './progress.entity.js';
import { changesBy, requireLecture } from './progress.policy.js';
import type { ProgressStep } from './progress.policy.js';
import { PERSON, ProgressRepository } from './progress.repository.js';
import { progress as resource } from './progress.schema.js';
import type { ProgressCreate, ProgressListQuery } from './progress.schema.js';

/** A row of progress, and the enrollment that it hangs on. */
interface Recorded extends Created<Progress> {
  readonly enrollment: Enrollment;
}

/** The lecture stands in `lecture`: each edge has its own references. */
interface ProgressRecord extends Omit<ProgressCreate, 'lecture_id'> {
  readonly lecture: LectureReference;
}

/** How an edge names the members of a record, and refuses a lecture that the course does not have. */
interface RecordEdge {
  readonly watched_at: string;
  readonly lecture: string;
  readonly unknown: 'not_found' | 'validation_failed';
}

type ProgressPlace = Pick<
  Progress,
  'site_id' | 'student_id' | 'enrollment_id' | 'course_id' | 'lecture_id' | 'person_id'
>;

/** Where students stopped in lectures, as storefronts and operators record it. */
@Injectable()
export class ProgressService {
  readonly #progress: SiteStore<Progress, typeof progressEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: ProgressRepository,
    private readonly enrollments: EnrollmentService,
    private readonly students: StudentService,
    private readonly curricula: CurriculumService,
  ) {
    this.#progress = stores.of({
      entity: Progress,
      // Events name the person; lists do not show it. Exports leave out rows that are newer than the export.
      resource: copyOf(resource, { details: ['person_id'], ranges: [...resource.ranges, 'created_at'] }),
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
        completed_at,
      }) => ({
        site_id,
        student_id,
        person_id,
        course_id,
        lecture_id,
        lecture_title,
        position_seconds,
        watched_at: iso(watched_at),
        completed_at: iso(completed_at),
      }),
    });
    students.linked.add((tx, student) => this.#resend(tx, student));
  }

  /** Lists progress of the site or of one student. */
  async list(
    caller: Caller,
    query: ProgressListQuery,
    of: { readonly student_id?: string } = {},
  ): Promise<Page<Progress>> {
    const page = await this.#progress.list(caller, query, of);
    // Only an empty page leaves open whether the student exists.
    if (page.rows.length === 0 && of.student_id !== undefined) await this.students.get(caller, of.student_id);
    return page;
  }

  get(caller: Caller, id: string, of: { readonly student_id?: string } = {}, tx?: EntityManager): Promise<Progress> {
    return this.#progress.get(caller, id, { ...of }, tx);
  }

  /** Records progress on an enrollment that is active or was then, and makes none. The order of records is free. */
  async record(
    caller: Caller,
    student_id: string,
    { course_id, lecture: reference, ...step }: ProgressRecord,
    tx: EntityManager,
    edge: RecordEdge,
  ): Promise<Recorded> {
    const { watched_at } = step;
    requireOccurred(watched_at, new Date(), edge.watched_at);
    const { student, row } = await this.enrollments.lockActive(caller, { student_id, course_id }, watched_at, tx);
    const refusal = { pointer: edge.lecture, code: edge.unknown };
    const { id: lecture_id, title } = requireLecture(await this.curricula.lecture(tx, row, reference), refusal);
    const known = await this.#progress.findLocked(tx, caller, { enrollment_id: row.id, lecture_id });
    if (known === undefined) {
      // A lecture with progress cannot be deleted, so a deletion waits for this transaction.
      requireLecture(await this.curricula.lecture(tx, row, { id: lecture_id }, 'for share'), refusal);
    }
    const given = { ...step, lecture_title: title };
    const place = { student_id: student.id, enrollment_id: row.id, course_id, lecture_id };
    const written = await this.#write(tx, caller, known, given, {
      ...place,
      site_id: row.site_id,
      person_id: student.person_id,
    });
    const completion = await this.repository.completion(tx, row);
    const enrollment = await this.enrollments.noteProgress(tx, row, { completion, moved: written.changed });
    return { ...written, enrollment };
  }

  republication(): Republication<typeof progressEvents> {
    return this.#progress.republication();
  }

  /** Publishes all progress of a student again, with the current person. */
  async #resend(tx: EntityManager, student: Pick<Student, 'site_id' | 'id'>): Promise<void> {
    const touched = await this.repository.touchAll(tx, student, student.id);
    for (const row of touched) await this.#progress.publish(tx, row, 'linked');
  }

  async #write(
    tx: EntityManager,
    caller: Caller,
    known: Progress | undefined,
    step: ProgressStep,
    { person_id, ...place }: ProgressPlace,
  ): Promise<Created<Progress>> {
    if (known === undefined) {
      const completed_at = step.completed ? step.watched_at : null;
      return this.#progress.insert(tx, place, { ...place, ...step, person_id, completed_at }, 'recorded');
    }
    const written = await this.#progress.change(tx, caller, known, () => {
      const changes = changesBy(step, known);
      return changes && { event: 'recorded', changes };
    });
    return { ...written, created: false };
  }
}
