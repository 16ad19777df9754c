import type { Caller, Key, PartChange, Written } from '@lyceum/collections';
import { curriculumEvents } from '@lyceum/contracts';
import type { LectureReference } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { requireMatch } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import type { Course } from '#src/courses/course.entity.js';
import { CourseService } from '#src/courses/course.service.js';
import { isSameOrder, requireRoom, requireWholeOrder } from './curriculum.policy.js';
import type { CurriculumOrder } from './curriculum.policy.js';
import { CurriculumRepository } from './curriculum.repository.js';
import type { CurriculumRow, LectureKey } from './curriculum.repository.js';

type EventName = (typeof curriculumEvents)['names'][number];

/** A section or a lecture. */
interface Part {
  readonly id: string;
  readonly site_id: string;
  readonly course_id: string;
}

const fence = ofOwnCourses('c.id');

/** The sections and lectures of courses, each course with its own as one aggregate. */
@Injectable()
export class CurriculumService {
  constructor(
    private readonly courses: CourseService,
    private readonly repository: CurriculumRepository,
    private readonly outbox: Outbox,
  ) {}

  async get(caller: Caller, course_id: string): Promise<CurriculumRow> {
    const found = await this.repository.find({ site_id: caller.site_id, course_id }, fence(caller));
    if (found === undefined) throw new ApiError('not_found', 'This site has no such course');
    return found;
  }

  /** Locks the course, so that its parts change one after another. */
  lock(tx: EntityManager, caller: Caller, course_id: string): Promise<Course> {
    return this.courses.lockEditable(tx, caller, course_id);
  }

  /** The position of a new part of a locked course. @throws `invalid_state` beyond `CURRICULUM_LIMITS` */
  async place(
    tx: EntityManager,
    { site_id, id: course_id }: Course,
    kind: 'sections' | 'lectures',
    of: { readonly course_id: string } | { readonly section_id: string },
  ): Promise<number> {
    const counts = await this.repository.counts(tx, { site_id, course_id });
    requireRoom(kind, counts[kind]);
    return this.repository.nextPosition(tx, { site_id, ...of });
  }

  /** The lecture of a course by either id. */
  lecture(
    tx: EntityManager,
    course: { readonly site_id: string; readonly course_id: string },
    reference: LectureReference,
  ): Promise<LectureKey | undefined> {
    return this.repository.lecture(tx, course, reference);
  }

  /** The same, and the lecture stays until the transaction ends: the first progress in it has no other hold on it. */
  keepLecture(
    tx: EntityManager,
    course: { readonly site_id: string; readonly course_id: string },
    reference: LectureReference,
  ): Promise<LectureKey | undefined> {
    return this.repository.lecture(tx, course, reference, 'for share');
  }

  /** The place after the last lecture of a section. */
  nextPosition(tx: EntityManager, of: { readonly site_id: string; readonly section_id: string }): Promise<number> {
    return this.repository.nextPosition(tx, of);
  }

  /** Publishes the curriculum of a locked course after the change of one of its parts. */
  async publishPart(
    tx: EntityManager,
    kind: 'section' | 'lecture',
    { id, ...course }: Part,
    { name, changed }: PartChange,
  ): Promise<void> {
    const event = `${kind}_${name}`;
    if (!isEventName(event)) throw new Error(`A curriculum has no event ${event}`);
    const revised = await this.repository.revise(tx, course);
    await this.outbox.add(tx, curriculumEvents, event, { ...toEvent(revised, id), changed });
  }

  async reorder(
    caller: Caller,
    { id: course_id, ifMatch }: Key,
    order: CurriculumOrder,
    tx: EntityManager,
  ): Promise<Written<CurriculumRow>> {
    const { site_id } = await this.lock(tx, caller, course_id);
    const current = await this.repository.read(tx, { site_id, course_id });
    requireMatch(current.version, ifMatch);
    const known = orderOf(current);
    requireWholeOrder(known, order);
    if (isSameOrder(known, order)) return { row: current, changed: false };
    await this.repository.reorder(tx, current, order);
    const row = await this.repository.revise(tx, current);
    await this.outbox.add(tx, curriculumEvents, 'reordered', { ...toEvent(row, null), changed: ['sections'] });
    return { row, changed: true };
  }

  republication(): Republication<typeof curriculumEvents> {
    return {
      events: curriculumEvents,
      batch: async (tx, after, limit) => {
        const found = await this.repository.share(tx, after, limit);
        return found.map((row) => ({ key: [row.site_id, row.course_id], event: toEvent(row, null) }));
      },
    };
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
  { site_id, course_id, version, sections }: CurriculumRow,
  part_id: string | null,
): NewEvent<typeof curriculumEvents> {
  return {
    aggregate_id: course_id,
    aggregate_version: version,
    site_id,
    data: { course_id, site_id, part_id, sections },
  };
}
