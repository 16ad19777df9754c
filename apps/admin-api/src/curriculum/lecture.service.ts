import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import type { EntityEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { changedColumns } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import { requireSameCourse } from './curriculum.policy.js';
import { CurriculumService } from './curriculum.service.js';
import { Lecture } from './lecture.entity.js';
import { transition } from './lecture.policy.js';
import type { LectureTransition } from './lecture.policy.js';
import { lecture as resource } from './lecture.schema.js';
import type { LectureCreate, LectureListQuery, LecturePatch } from './lecture.schema.js';
import { SectionService } from './section.service.js';

@Injectable()
export class LectureService {
  readonly #lectures: SiteStore<Lecture, EntityEvents>;

  constructor(
    stores: SiteStores,
    private readonly curricula: CurriculumService,
    private readonly sections: SectionService,
  ) {
    this.#lectures = stores.of({
      entity: Lecture,
      resource,
      fence: ofOwnCourses('course_id'),
      unique: { lectures_slug: ['course_id', 'slug'], lectures_external_id: 'external_id' },
      publishWith: (tx, row, change) => this.curricula.publishPart(tx, 'lecture', row, change),
    });
  }

  list(caller: Caller, query: LectureListQuery): Promise<Page<Lecture>> {
    return this.#lectures.list(caller, query);
  }

  get(caller: Caller, id: string): Promise<Lecture> {
    return this.#lectures.get(caller, id);
  }

  async create(caller: Caller, input: LectureCreate, tx: EntityManager): Promise<Created<Lecture>> {
    return this.#lectures.insert(tx, caller, await this.#placed(tx, caller, input), 'created');
  }

  async patch(caller: Caller, key: Key, patch: LecturePatch, tx: EntityManager): Promise<Written<Lecture>> {
    const { course_id } = await this.#lockCourse(tx, caller, key.id);
    const place = await this.#newPlace(tx, caller, { course_id }, patch);
    return this.#lectures.change(tx, caller, key, (lecture) => updated(lecture, patch, place));
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    ...key
  }: UpsertRequest<LectureCreate, LecturePatch>): Promise<Created<Lecture>> {
    const known = await this.#lectures.find(principal, { external_id: key.external_id });
    const placed = await this.#placed(tx, principal, body);
    if (known !== undefined) requireSameCourse(known, placed, '/section_id');
    return this.#lectures.upsert(tx, principal, key, {
      create: () => placed,
      decide: (lecture) => updated(lecture, patch, placed.position),
    });
  }

  async move(caller: Caller, key: Key, name: LectureTransition, tx: EntityManager): Promise<Written<Lecture>> {
    await this.#lockCourse(tx, caller, key.id);
    return this.#lectures.change(tx, caller, key, ({ state, published_at }) => {
      const { to, event } = transition(state, name);
      return { event, changes: { state: to, published_at: published_at ?? new Date() } };
    });
  }

  /** Progress belongs to a lecture, so a lecture that a student watched is kept. */
  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Lecture>> {
    await this.#lockCourse(tx, caller, key.id);
    const error = new ApiError('resource_in_use', 'Students have progress in the lecture', {
      hint: 'Unpublish it instead',
    });
    const sql = 'exists (select 1 from progress where site_id = $1 and lecture_id = $2)';
    return this.#lectures.remove(tx, caller, key, { sql, error });
  }

  /** The new lecture as the last one of its section, whose course is locked. */
  async #placed(tx: EntityManager, caller: Caller, input: LectureCreate) {
    const { id: section_id, course_id } = await this.sections.get(caller, input.section_id);
    const course = await this.curricula.lock(tx, caller, course_id);
    const position = await this.curricula.place(tx, course, 'lectures', { section_id });
    return { ...input, course_id, position };
  }

  /** The last place of the section that a patch names. Undefined: it names none. */
  async #newPlace(
    tx: EntityManager,
    caller: Caller,
    known: { readonly course_id: string },
    { section_id }: LecturePatch,
  ): Promise<number | undefined> {
    if (section_id === undefined) return undefined;
    const section = await this.sections.get(caller, section_id);
    requireSameCourse(known, section, '/section_id');
    return this.curricula.nextPosition(tx, { site_id: section.site_id, section_id });
  }

  async #lockCourse(tx: EntityManager, caller: Caller, id: string): Promise<Lecture> {
    const lecture = await this.#lectures.get(caller, id);
    await this.curricula.lock(tx, caller, lecture.course_id);
    return lecture;
  }
}

/** A lecture that moves to another section gets a place there. */
function updated(lecture: Lecture, patch: LecturePatch, place: number | undefined) {
  const changes = changedColumns(lecture, patch, resource);
  if (changes === undefined) return undefined;
  const moved = changes.section_id !== undefined && place !== undefined ? { position: place } : {};
  return { event: 'updated', changes: { ...changes, ...moved } };
}
