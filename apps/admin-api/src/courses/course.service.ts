import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { courseEvents } from '@lyceum/contracts';
import type { CourseReference } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import { CourseReferencesRepository } from './course-references.repository.js';
import type { CourseReferences } from './course-references.repository.js';
import { Course } from './course.entity.js';
import { COURSE_CONDITIONS, COURSE_IN_USE, COURSE_PARTS } from './course.listing.js';
import { publishedAt, requireEditable, transition } from './course.policy.js';
import type { CourseTransition } from './course.policy.js';
import { course as resource } from './course.schema.js';
import type { CourseCreate, CourseListQuery, CoursePatch } from './course.schema.js';

@Injectable()
export class CourseService {
  readonly #courses: SiteStore<Course, typeof courseEvents>;

  constructor(
    stores: SiteStores,
    private readonly references: CourseReferencesRepository,
  ) {
    this.#courses = stores.of({
      entity: Course,
      resource: { ...resource, conditions: COURSE_CONDITIONS },
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

  /** The course of a command. */
  async referred(caller: Caller, reference: CourseReference): Promise<Course> {
    return (await this.#courses.find(caller, reference)) ?? this.#courses.missing();
  }

  /** Locks a course whose parts change. @throws `not_found`; `invalid_state` for an archived course */
  async lockEditable(tx: EntityManager, caller: Caller, id: string): Promise<Course> {
    const course = await this.#courses.lock(tx, caller, id);
    requireEditable(course.state);
    return course;
  }

  findBySlug(caller: Caller, slug: string): Promise<Course | undefined> {
    return this.#courses.find(caller, { slug });
  }

  async getBySlug(caller: Caller, slug: string): Promise<Course> {
    return (await this.findBySlug(caller, slug)) ?? this.#courses.missing();
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

  async create(
    caller: Caller,
    { lecturer_ids, category_ids, ...input }: CourseCreate,
    tx: EntityManager,
  ): Promise<Created<Course>> {
    requireAdministrator(caller, 'create courses');
    const { row, ...made } = await this.#courses.insert(tx, caller, input, 'created');
    await this.references.replace(tx, row, { lecturer_ids, category_ids });
    return { ...made, row: Object.assign(row, { lecturer_ids, category_ids }) };
  }

  async patch(caller: Caller, key: Key, patch: CoursePatch, tx: EntityManager): Promise<Written<Course>> {
    const course = await this.#courses.lock(tx, caller, key.id);
    this.#courses.requireMatch(course, key);
    const update = updated(course, patch);
    if (update === undefined) return { row: course, changed: false };
    if (update.changes.lecturer_ids !== undefined) requireAdministrator(caller, 'set who teaches a course');
    await this.references.replace(tx, course, update.changes);
    return this.#courses.write(tx, course, update);
  }

  async upsert({
    tx,
    principal,
    body: { lecturer_ids, category_ids, ...input },
    patch,
    ...key
  }: UpsertRequest<CourseCreate, CoursePatch>): Promise<Created<Course>> {
    requireAdministrator(principal, 'create courses');
    const written = await this.#courses.upsert(tx, principal, key, {
      create: () => input,
      decide: (course) => updated(course, patch),
    });
    const { row, changed, created } = written;
    if (!changed) return written;
    const lists = created ? { lecturer_ids, category_ids } : referencesOf(patch);
    await this.references.replace(tx, row, lists);
    return { ...written, row: Object.assign(row, lists) };
  }

  move(caller: Caller, key: Key, name: CourseTransition, tx: EntityManager): Promise<Written<Course>> {
    return this.#courses.change(tx, caller, key, (course) => {
      const { to, event } = transition(course.state, name);
      return { event, changes: { state: to, published_at: publishedAt(course, to, new Date()) } };
    });
  }

  /** Progress belongs to an enrollment, ended or not, so a course that ever had one is kept. */
  remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Course>> {
    const error = new ApiError(
      'resource_in_use',
      'The course has or had enrollments, or a membership plan contains it',
      {
        hint: 'Unpublish and archive it instead',
      },
    );
    return this.#courses.remove(tx, caller, key, { sql: COURSE_IN_USE, error });
  }

  republication(): Republication<typeof courseEvents> {
    return this.#courses.republication();
  }
}

function updated(course: Course, patch: CoursePatch) {
  requireEditable(course.state);
  const changes = changedColumns(course, patch, resource);
  return changes && { event: 'updated' as const, changes };
}

/** The lists that a patch names. */
function referencesOf({ lecturer_ids, category_ids }: CoursePatch): CourseReferences {
  return { ...(lecturer_ids && { lecturer_ids }), ...(category_ids && { category_ids }) };
}
