import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, RowChange, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { courseEvents } from '@lyceum/contracts';
import type { CourseReference } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, copyOf, iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { ofOwnCourses, ofOwnProfile } from '#src/access/teacher.fence.js';
import { CategoryService } from '#src/categories/category.service.js';
import { Followers } from '#src/followers/followers.js';
import { PictureService } from '#src/pictures/picture.service.js';
import { publishedAt, transitionOf } from '#src/publication/publication.policy.js';
import type { Transition } from '#src/publication/publication.policy.js';
import { lockForDeletion } from '#src/references/lock-for-deletion.js';
import { TextService } from '#src/texts/text.service.js';
import { CourseReferencesRepository } from './course-references.repository.js';
import type { CourseLecturer } from './course-references.repository.js';
import { Course } from './course.entity.js';
import { COURSE_CONDITIONS, COURSE_IN_USE, COURSE_PARTS } from './course.listing.js';
import { requireEditable, requireMayArchive, requireMayChange } from './course.policy.js';
import { course as resource } from './course.schema.js';
import type { CourseCreate, CourseListQuery, CoursePatch } from './course.schema.js';

type CourseParts = Pick<CourseCreate, 'image_file_id' | 'lecturer_ids' | 'category_ids'>;
/** A course of an import has no picture, lecturers and categories. */
type CourseInput = Omit<CourseCreate, keyof CourseParts> & Partial<CourseParts>;
type CourseChange = Pick<Key, 'id' | 'ifMatch'> & { readonly patch: CoursePatch };

@Injectable()
export class CourseService {
  /** A locked course that is about to be deleted with its parts. */
  readonly removing = new Followers<Course>();
  readonly #courses: SiteStore<Course, typeof courseEvents>;

  constructor(
    stores: SiteStores,
    private readonly references: CourseReferencesRepository,
    private readonly pictures: PictureService,
    private readonly categories: CategoryService,
    private readonly texts: TextService,
  ) {
    this.#courses = stores.of({
      entity: Course,
      resource: copyOf(resource, { conditions: COURSE_CONDITIONS }),
      computed: COURSE_PARTS,
      fence: ofOwnCourses('id'),
      unique: { courses_slug: 'slug', courses_external_id: 'external_id' },
      events: courseEvents,
      data: (row, event) => ({
        course_id: row.id,
        site_id: row.site_id,
        slug: row.slug,
        name: row.name,
        subtitle: row.subtitle,
        image_url: row.image_url,
        state: event === 'deleted' ? 'deleted' : row.state,
        published_at: iso(row.published_at),
      }),
    });
  }

  list(caller: Caller, query: CourseListQuery): Promise<Page<Course>> {
    return this.#courses.list(caller, query);
  }

  get(caller: Caller, id: string): Promise<Course> {
    return this.#courses.get(caller, id);
  }

  /** Returns the courses with these ids that the caller may see. */
  getAll(caller: Caller, ids: readonly string[]): Promise<ReadonlyMap<string, Course>> {
    return this.#courses.findAll(caller, ids);
  }

  /** Loads the lecturers of courses, in their order. */
  lecturersOf(caller: Caller, courses: readonly Course[]): Promise<ReadonlyMap<string, readonly CourseLecturer[]>> {
    return this.references.lecturersOf(caller, courses, ofOwnProfile(caller));
  }

  /** Loads the categories of courses, in their order. */
  async categoriesOf(caller: Caller, courses: readonly Course[]): Promise<ReadonlyMap<string, readonly object[]>> {
    const ids = new Set(courses.flatMap(({ category_ids }) => category_ids));
    const found = await this.categories.getAll(caller, [...ids]);
    return new Map(courses.map(({ id, category_ids }) => [id, category_ids.flatMap((one) => found.get(one) ?? [])]));
  }

  /** The course of a command. */
  async referred(caller: Caller, reference: CourseReference, tx: EntityManager): Promise<Course> {
    return (await this.#courses.find(caller, reference, tx)) ?? this.#courses.missing();
  }

  /** Locks a course of any state. @throws `not_found`; `precondition_failed` for another entity tag */
  async lock(tx: EntityManager, caller: Caller, key: Key): Promise<Course> {
    const course = await this.#courses.lock(tx, caller, key.id);
    this.#courses.requireMatch(course, key);
    return course;
  }

  /** Locks a course whose parts change. @throws `not_found`; `invalid_state` for an archived course */
  async lockEditable(tx: EntityManager, caller: Caller, id: string): Promise<Course> {
    const course = await this.lock(tx, caller, { id });
    requireEditable(course.state);
    return course;
  }

  async getBySlug(caller: Caller, slug: string): Promise<Course> {
    return (await this.#courses.find(caller, { slug })) ?? this.#courses.missing();
  }

  /** A caller who knows the slug of a hidden course can read it. */
  async getPublished(caller: Caller, slug: string): Promise<Course> {
    const course = await this.getBySlug(caller, slug);
    return course.state === 'published' ? course : this.#courses.missing();
  }

  /** A course of the catalog, which leaves out hidden ones. */
  async getListed(caller: Caller, slug: string): Promise<Course> {
    const course = await this.getPublished(caller, slug);
    return course.hidden ? this.#courses.missing() : course;
  }

  async create(caller: Caller, input: CourseCreate, tx: EntityManager): Promise<Created<Course>> {
    requireAdministrator(caller, 'create courses');
    const values = this.pictures.settled(caller, 'course_id', input);
    const made = await this.#courses.insert(tx, caller, values, 'created');
    await this.#complete(tx, caller, [{ ...made, input }]);
    return made;
  }

  /** Creates many courses as `create` does, at once. @throws ApiError for a refusal that may be of any of them */
  async createAll(caller: Caller, items: readonly CourseInput[], tx: EntityManager) {
    requireAdministrator(caller, 'create courses');
    const values = items.map((input) => this.pictures.settled(caller, 'course_id', input));
    const made = await this.#courses.insertAll(tx, caller, values, 'created');
    const done = made.flatMap((one, index) => (one instanceof ApiError ? [] : [{ ...one, input: items[index] ?? {} }]));
    await this.#complete(tx, caller, done);
    return made;
  }

  /** Returns the courses with one of the values of a column. */
  findBy(...named: Parameters<SiteStore<Course, typeof courseEvents>['findBy']>): Promise<Course[]> {
    return this.#courses.findBy(...named);
  }

  patch(caller: Caller, key: Key, patch: CoursePatch, tx: EntityManager): Promise<Written<Course>> {
    return this.#courses.change(tx, caller, key, (course) => this.#decide(tx, caller, course, patch));
  }

  /** @throws `invalid_state` for an archived course, `forbidden` for values that bind the school */
  changesOf(caller: Caller, course: Course, patch: CoursePatch): Partial<Course> | undefined {
    requireEditable(course.state, patch);
    const changes = changedColumns(course, this.pictures.settled(caller, 'course_id', patch, course), resource);
    if (changes !== undefined) requireMayChange(caller, changes);
    return changes;
  }

  /** Changes different courses at once. @throws ApiError for a refusal that may be of any of them */
  patchAll(caller: Caller, items: readonly CourseChange[], tx: EntityManager) {
    return this.#courses.changeAll(tx, caller, items, {
      event: 'updated',
      changesOf: (course, index) => this.changesOf(caller, course, items[index]?.patch ?? {}),
      with: (changes) => this.#refer(tx, caller, changes),
    });
  }

  async upsert(request: UpsertRequest<CourseCreate, CoursePatch>): Promise<Created<Course>> {
    const { tx, principal, body, patch, ...key } = request;
    requireAdministrator(principal, 'create courses');
    const written = await this.#courses.upsert(tx, principal, key, {
      create: () => this.pictures.settled(principal, 'course_id', body),
      decide: (course) => this.#decide(tx, principal, course, patch),
    });
    if (written.created) await this.#complete(tx, principal, [{ ...written, input: body }]);
    return written;
  }

  move(caller: Caller, key: Key, name: Transition, tx: EntityManager): Promise<Written<Course>> {
    return this.#courses.change(tx, caller, key, (course) => {
      const rule = transitionOf('course', course.state, name);
      if (rule === undefined) return undefined;
      if (rule.to === 'archived') requireMayArchive(caller, course);
      return { event: rule.event, changes: { state: rule.to, published_at: publishedAt(course, rule.to, new Date()) } };
    });
  }

  /** Progress belongs to an enrollment, ended or not, so a course that ever had one is kept. */
  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Course>> {
    const course = await this.lock(tx, caller, key);
    await lockForDeletion(tx, 'courses', course);
    await this.removing.notify(tx, course);
    const detail =
      'The course has or had enrollments or comments, or a membership plan contains it, or a pending order names its plan';
    const error = new ApiError('resource_in_use', detail, { hint: 'Unpublish and archive it instead' });
    const removed = await this.#courses.remove(tx, caller, key, { sql: COURSE_IN_USE, error });
    await this.texts.endDescription(tx, removed.row);
    return removed;
  }

  republication(): Republication<typeof courseEvents> {
    return this.#courses.republication();
  }

  #decide(tx: EntityManager, caller: Caller, course: Course, patch: CoursePatch) {
    const changes = this.changesOf(caller, course, patch);
    return (
      changes && { event: 'updated' as const, changes, with: () => this.#refer(tx, caller, [{ row: course, changes }]) }
    );
  }

  /** Writes what other tables and members have of new courses. */
  async #complete(tx: EntityManager, caller: Caller, made: readonly { row: Course; input: Partial<CourseParts> }[]) {
    const lists = made.map(({ row: { id }, input }) => ({ id, lists: input }));
    await this.references.add(tx, caller, lists);
    const pictures = made.map(({ row: { id }, input }) => ({ id, file_id: input.image_file_id ?? undefined }));
    await this.pictures.useAll(tx, caller, 'course_id', pictures);
    const courses = made.map(({ row }) => row);
    await this.texts.describeNew(tx, courses);
  }

  /** The same of the changes of locked courses, before they are written. */
  async #refer(tx: EntityManager, caller: Caller, list: readonly RowChange<Course>[]): Promise<void> {
    const lists = list.map(({ row: { id }, changes }) => ({ id, lists: changes }));
    await this.references.replace(tx, caller, lists);
    const pictures = list.map(({ row: { id }, changes: { image_file_id: file_id } }) => ({ id, file_id }));
    await this.pictures.useAll(tx, caller, 'course_id', pictures);
    const texts = list.map(({ row, changes }) => ({
      course: Object.assign({}, row, changes, { version: row.version + 1 }),
      before: row.description_html,
    }));
    await this.texts.describeAll(tx, texts);
  }
}
