import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import type { EntityEvents, LectureReference } from '@lyceum/contracts';
import { ApiError, errorOr } from '@lyceum/errors';
import { changedColumns, copyOf } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import { LECTURE_URL_PART } from '#src/urls/object-url.js';
import { requireNoFiles } from './attachment.policy.js';
import { requireRoom, requireSameCourse } from './curriculum.policy.js';
import { CurriculumRepository, LECTURE_IN_USE } from './curriculum.repository.js';
import { CurriculumService } from './curriculum.service.js';
import { Lecture } from './lecture.entity.js';
import { eachInOrder, insertParts } from './many-parts.js';
import type { PlaceInCourse } from './many-parts.js';
import { LectureFiles } from './lecture.files.js';
import type { LinkedLecture, Material } from './lecture.files.js';
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
    private readonly repository: CurriculumRepository,
    private readonly files: LectureFiles,
  ) {
    this.#lectures = stores.of({
      entity: Lecture,
      // A list reads it once for each course.
      resource: copyOf(resource, { details: [...resource.details, 'url_part'] }),
      computed: { url_part: LECTURE_URL_PART },
      fence: ofOwnCourses('course_id'),
      unique: { lectures_slug: ['course_id', 'slug'], lectures_external_id: 'external_id' },
      publishWith: (tx, rows, change) => this.curricula.publishParts(tx, 'lecture', rows, change),
    });
  }

  async list(caller: Caller, query: LectureListQuery): Promise<Page<LinkedLecture>> {
    const page = await this.#lectures.list(caller, query);
    if (page.rows.length === 0) return page;
    const parts = await this.repository.urlParts(caller, new Set(page.rows.map(({ course_id }) => course_id)));
    for (const row of page.rows) row.url_part = parts.get(row.course_id) ?? null;
    return { ...page, rows: await this.files.linked(page.rows) };
  }

  async get(caller: Caller, id: string): Promise<LinkedLecture> {
    return this.#linked(await this.#lectures.get(caller, id));
  }

  /** Returns the lecture that a command names. */
  async referred(caller: Caller, reference: LectureReference, tx: EntityManager): Promise<Lecture> {
    return (await this.#lectures.find(caller, reference, tx)) ?? this.#lectures.missing();
  }

  async create(caller: Caller, input: LectureCreate, tx: EntityManager): Promise<Created<LinkedLecture>> {
    const place = await this.#place(tx, caller, input.section_id);
    const made = await this.#lectures.insert(tx, caller, placed(input, place), 'created');
    return this.#using(tx, caller, made);
  }

  /** Creates many lectures as `create` does, with one statement for each table. Their attachments have no files. */
  async createAll(
    caller: Caller,
    items: readonly LectureCreate[],
    tx: EntityManager,
  ): Promise<readonly (Created<Lecture> | ApiError)[]> {
    const made = await insertParts(items, {
      parentOf: ({ section_id }) => section_id,
      placesOf: (sections) => this.#places(tx, caller, sections),
      valuesOf: (item, place) => {
        requireNoFiles(item);
        return placed(item, place);
      },
      insert: (list) => this.#lectures.insertAll(tx, caller, list, 'created'),
    });
    const rows = made.flatMap((one) => (one instanceof ApiError ? [] : [one.row]));
    await this.files.supplyAll(tx, caller, rows);
    return made;
  }

  async patch(caller: Caller, key: Key, patch: LecturePatch, tx: EntityManager): Promise<Written<LinkedLecture>> {
    const known = await this.#lockCourse(tx, caller, key.id);
    const place = await this.#newPlace(tx, caller, known, patch);
    let before: Material | undefined;
    const written = await this.#lectures.change(tx, caller, key, (lecture) => {
      before = lecture;
      return updated(lecture, patch, place);
    });
    return this.#using(tx, caller, written, before);
  }

  async upsert({
    tx,
    principal,
    body,
    patch: { state: _state, ...patch },
    ...key
  }: UpsertRequest<LectureCreate, LecturePatch & Partial<Pick<LectureCreate, 'state'>>>): Promise<
    Created<LinkedLecture>
  > {
    const place = await this.#place(tx, principal, body.section_id);
    let before: Material | undefined;
    const written = await this.#lectures.upsert(tx, principal, key, {
      create: () => placed(body, place),
      decide: (lecture) => {
        requireSameCourse(lecture, place, '/section_id');
        before = lecture;
        return updated(lecture, patch, place.position);
      },
    });
    return this.#using(tx, principal, written, before);
  }

  async move(caller: Caller, key: Key, name: LectureTransition, tx: EntityManager): Promise<Written<LinkedLecture>> {
    await this.#lockCourse(tx, caller, key.id);
    const written = await this.#lectures.change(tx, caller, key, ({ state, published_at }) => {
      const rule = transition(state, name);
      return rule && { event: rule.event, changes: { state: rule.to, published_at: published_at ?? new Date() } };
    });
    return { ...written, row: await this.#linked(written.row, tx) };
  }

  /** Progress and comments belong to a lecture, so a lecture that students watched or commented on is kept. */
  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Lecture>> {
    await this.#lockCourse(tx, caller, key.id);
    const error = new ApiError('resource_in_use', 'Students have progress in the lecture, or commented on it', {
      hint: 'Unpublish it instead',
    });
    const removed = await this.#lectures.remove(tx, caller, key, { sql: LECTURE_IN_USE, error });
    await this.files.end(tx, removed.row);
    return removed;
  }

  /** Publishes what members read of a written lecture, and makes it use the files of its attachments. */
  async #using<W extends Written<Lecture>>(
    tx: EntityManager,
    caller: Caller,
    written: W,
    before?: Material,
  ): Promise<W & Written<LinkedLecture>> {
    await this.files.supply(tx, caller, written.row, before);
    return { ...written, row: await this.#linked(written.row, tx) };
  }

  async #linked(lecture: Lecture, tx?: EntityManager): Promise<LinkedLecture> {
    const [linked] = await this.files.linked([lecture], tx);
    return linked ?? lecture;
  }

  /** Locks the course of a section, and returns the position after the last lecture of the section. */
  async #place(tx: EntityManager, caller: Caller, section_id: string): Promise<PlaceInCourse> {
    const place = (await this.#places(tx, caller, [section_id])).get(section_id);
    if (place === undefined || place instanceof ApiError) throw place ?? new Error(`${section_id} has no place`);
    return place;
  }

  /** The same for many sections, or why a section takes no lecture. */
  async #places(
    tx: EntityManager,
    caller: Caller,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, PlaceInCourse | ApiError>> {
    const sections = await this.sections.getAll(caller, ids, tx);
    const courses = await eachInOrder(
      [...sections.values()].map(({ course_id }) => course_id),
      (course_id) => this.curricula.lock(tx, caller, course_id),
    );
    const places = await this.curricula.lecturePlaces(tx, caller, [...sections.keys()]);
    const placeOf = (id: string): PlaceInCourse => {
      const course = courses.get(sections.get(id)?.course_id ?? '');
      if (course instanceof ApiError) throw course;
      const place = places.get(id);
      return course && place ? { course_id: course.id, ...place } : this.sections.missing();
    };
    return new Map(ids.map((id) => [id, errorOr(() => placeOf(id))]));
  }

  /** The last place of the section that a patch names. Undefined: it names none. */
  async #newPlace(
    tx: EntityManager,
    caller: Caller,
    known: { readonly course_id: string },
    { section_id }: LecturePatch,
  ): Promise<number | undefined> {
    if (section_id === undefined) return undefined;
    const section = await this.sections.get(caller, section_id, tx);
    requireSameCourse(known, section, '/section_id');
    const place = (await this.curricula.lecturePlaces(tx, caller, [section_id])).get(section_id);
    return (place ?? this.sections.missing()).position;
  }

  async #lockCourse(tx: EntityManager, caller: Caller, id: string): Promise<Lecture> {
    const lecture = await this.#lectures.get(caller, id, {}, tx);
    await this.curricula.lock(tx, caller, lecture.course_id);
    return lecture;
  }
}

/** @throws `invalid_state` beyond `CURRICULUM_LIMITS` */
function placed(input: LectureCreate, { course_id, parts, position }: PlaceInCourse) {
  requireRoom('lectures', parts);
  return { ...input, course_id, position, published_at: input.state === 'published' ? new Date() : null };
}

/** A lecture that moves to another section gets a place there. */
function updated(lecture: Lecture, patch: LecturePatch, place: number | undefined) {
  const changes = changedColumns(lecture, patch, resource);
  if (changes === undefined) return undefined;
  const moved = changes.section_id !== undefined && place !== undefined ? { position: place } : {};
  return { event: 'updated', changes: { ...changes, ...moved } };
}
