import type { Caller, Key, PartChange, Written } from '@lyceum/collections';
import { curriculumEvents } from '@lyceum/contracts';
import type { LectureReference } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { requirePreconditions } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import type { Course } from '#src/courses/course.entity.js';
import { CourseService } from '#src/courses/course.service.js';
import { partOf, piecesOf } from './curriculum-pieces.policy.js';
import { durationOf, isSameOrder, requireWholeOrder } from './curriculum.policy.js';
import type { CurriculumOrder } from './curriculum.policy.js';
import { CurriculumRepository } from './curriculum.repository.js';
import type { CurriculumRow, LectureKey, Place } from './curriculum.repository.js';
import { LectureFiles } from './lecture.files.js';

type EventName = (typeof curriculumEvents)['names'][number];

type PartKind = 'section' | 'lecture';

/** A section or a lecture. */
interface Part {
  readonly id: string;
  readonly site_id: string;
  readonly course_id: string;
  readonly external_id: string | null;
}

interface Change {
  readonly name: EventName;
  readonly changed: readonly string[];
  /** Absent: no single part changed. */
  readonly parts?: readonly (Part | null)[];
}

const fence = ofOwnCourses('c.id');

/** The sections and lectures of courses, each course with its own as one aggregate. */
@Injectable()
export class CurriculumService {
  constructor(
    private readonly courses: CourseService,
    private readonly repository: CurriculumRepository,
    private readonly outbox: Outbox,
    private readonly files: LectureFiles,
  ) {
    courses.removing.add((tx, course) => this.#remove(tx, course));
  }

  async get(caller: Caller, course_id: string): Promise<CurriculumRow> {
    const found = await this.repository.find({ site_id: caller.site_id, course_id }, fence(caller));
    if (found === undefined) throw new ApiError('not_found', 'This site has no such course');
    return found;
  }

  /** Locks the course, so that its parts change one after another. */
  lock(tx: EntityManager, caller: Caller, course_id: string): Promise<Course> {
    return this.courses.lockEditable(tx, caller, course_id);
  }

  /** Returns the position of a new section in a locked course. */
  sectionPlace(tx: EntityManager, { site_id, id: course_id }: Course): Promise<Place> {
    return this.repository.sectionPlace(tx, { site_id, course_id });
  }

  /** Returns the positions of a new lecture in sections of locked courses. Leaves out deleted sections. */
  lecturePlaces(tx: EntityManager, caller: Caller, sections: readonly string[]): Promise<ReadonlyMap<string, Place>> {
    return this.repository.lecturePlaces(tx, caller, sections);
  }

  /**
   * Returns a lecture of a course by its id or `external_id`.
   *
   * @param lock `for share` delays a deletion of the lecture until the transaction ends
   */
  lecture(
    tx: EntityManager,
    course: { readonly site_id: string; readonly course_id: string },
    reference: LectureReference,
    lock?: 'for share',
  ): Promise<LectureKey | undefined> {
    return this.repository.lecture(tx, course, reference, lock);
  }

  /** Publishes an event for each part of locked courses. The last one has the curriculum, or its pieces follow. */
  async publishParts(
    tx: EntityManager,
    kind: PartKind,
    parts: readonly Part[],
    { name, changed }: PartChange,
  ): Promise<void> {
    const event = `${kind}_${name}`;
    if (!isEventName(event)) throw new Error(`A curriculum has no event ${event}`);
    for (const [, [first, ...others]] of Map.groupBy(parts, ({ course_id }) => course_id)) {
      if (first === undefined) continue;
      const revised = await this.repository.revise(tx, first, 1 + others.length);
      await this.#publish(tx, { name: event, changed, parts: [first, ...others] }, revised);
    }
  }

  async reorder(
    caller: Caller,
    { id: course_id, ...conditions }: Key,
    order: CurriculumOrder,
    tx: EntityManager,
  ): Promise<Written<CurriculumRow>> {
    const { site_id } = await this.lock(tx, caller, course_id);
    const current = await this.repository.read(tx, { site_id, course_id });
    requirePreconditions(current.version, conditions);
    const known = orderOf(current);
    requireWholeOrder(known, order);
    if (isSameOrder(known, order)) return { row: current, changed: false };
    await this.repository.reorder(tx, current, order);
    const row = await this.repository.revise(tx, current);
    await this.#publish(tx, { name: 'reordered', changed: ['sections'] }, row);
    return { row, changed: true };
  }

  /** Copies the curriculum of a locked course to a new one. Returns the duration of its published lectures. */
  async copy(tx: EntityManager, caller: Caller, course: Course, to: Course): Promise<number> {
    const { site_id } = course;
    const { sections, lectures } = await this.repository.copy(tx, { site_id, course_id: course.id }, to.id);
    if (sections === 0) return 0;
    await this.files.copy(tx, caller, to.id, lectures);
    const row = await this.repository.revise(tx, { site_id, course_id: to.id });
    await this.#publish(tx, { name: 'copied', changed: ['sections'] }, row);
    return durationOf(row.sections);
  }

  /** Publishes the end of a curriculum, whose parts the database deletes with the course. */
  async #remove(tx: EntityManager, { site_id, id: course_id }: Course): Promise<void> {
    const version = await this.repository.version(tx, { site_id, course_id });
    if (version === 0) return;
    const empty = { site_id, course_id, version: version + 1, sections: [], updated_at: null };
    await this.#publish(tx, { name: 'deleted', changed: [] }, empty);
    await this.files.endAll(tx, { site_id }, course_id);
  }

  republication(): Republication<typeof curriculumEvents> {
    return {
      events: curriculumEvents,
      batch: async (tx, after, limit) => {
        const found = await this.repository.share(tx, after, limit);
        return found.flatMap((row) =>
          piecesOf(row.sections).map((sections, index, { length: count }) => ({
            key: [row.site_id, row.course_id],
            event: toEvent(row, { sections, piece: { index, count } }),
          })),
        );
      },
    };
  }

  /** Publishes a change of a curriculum. The last event has all sections, or its pieces follow. */
  async #publish(tx: EntityManager, { name, changed, parts = [null] }: Change, row: CurriculumRow): Promise<void> {
    const pieces = piecesOf(row.sections);
    const [whole] = pieces.length === 1 ? pieces : [];
    const last = parts.length - 1;
    const events = parts.map((part, place) => {
      const own = partOf(row.sections, part?.id ?? null);
      const content = whole === undefined || place < last ? { sections: own, piece: null } : { sections: whole };
      return { ...toEvent({ ...row, version: row.version - last + place }, content, part), changed };
    });
    await this.outbox.addAll(tx, curriculumEvents, name, events);
    if (whole !== undefined) return;
    const more = pieces.map((sections, index) => toEvent(row, { sections, piece: { index, count: pieces.length } }));
    await this.outbox.addAll(tx, curriculumEvents, 'piece', more);
  }
}

function isEventName(name: string): name is EventName {
  return (curriculumEvents.names as readonly string[]).includes(name);
}

function orderOf({ sections }: CurriculumRow): CurriculumOrder {
  return sections.map(({ section_id, lectures }) => ({
    id: section_id,
    lecture_ids: lectures.map(({ lecture_id }) => lecture_id),
  }));
}

function toEvent(
  { site_id, course_id, version }: CurriculumRow,
  content: Pick<NewEvent<typeof curriculumEvents>['data'], 'sections' | 'piece'>,
  part: Pick<Part, 'id' | 'external_id'> | null = null,
): NewEvent<typeof curriculumEvents> {
  const data = { course_id, site_id, part_id: part?.id ?? null, part_external_id: part?.external_id, ...content };
  return { aggregate_id: course_id, aggregate_version: version, site_id, data };
}
