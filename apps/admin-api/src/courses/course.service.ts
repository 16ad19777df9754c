import { SiteStores } from '@lyceum/collections';
import type { Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { courseEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Course } from './course.entity.js';
import { COURSE_IN_USE } from './course.listing.js';
import { publishedAt, requireEditable, transition } from './course.policy.js';
import type { CourseTransition } from './course.policy.js';
import { course as resource } from './course.schema.js';
import type { CourseCreate, CourseListQuery, CoursePatch } from './course.schema.js';

type Site = Pick<Principal, 'site_id'>;

@Injectable()
export class CourseService {
  readonly #courses: SiteStore<Course, typeof courseEvents>;

  constructor(stores: SiteStores) {
    this.#courses = stores.of({
      entity: Course,
      resource,
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

  list(site: Site, query: CourseListQuery): Promise<Page<Course>> {
    return this.#courses.list(site, query);
  }

  get(site: Site, id: string): Promise<Course> {
    return this.#courses.get(site, id);
  }

  findBySlug(site: Site, slug: string): Promise<Course | undefined> {
    return this.#courses.find(site, { slug });
  }

  async getBySlug(site: Site, slug: string): Promise<Course> {
    return (await this.findBySlug(site, slug)) ?? this.#courses.missing();
  }

  /** A caller who knows the slug of a hidden course can read it. */
  async getPublished(site: Site, slug: string): Promise<Course> {
    const course = await this.getBySlug(site, slug);
    return course.state === 'published' ? course : this.#courses.missing();
  }

  /** A course of the catalog, which leaves out hidden ones. */
  async getListed(site: Site, slug: string): Promise<Course> {
    const course = await this.getPublished(site, slug);
    return course.hidden ? this.#courses.missing() : course;
  }

  create(site: Site, input: CourseCreate, tx: EntityManager): Promise<Created<Course>> {
    return this.#courses.insert(tx, site, input, 'created');
  }

  patch(site: Site, key: Key, patch: CoursePatch, tx: EntityManager): Promise<Written<Course>> {
    return this.#courses.change(tx, site, key, (course) => updated(course, patch));
  }

  upsert({ tx, principal, body, patch, ...key }: UpsertRequest<CourseCreate, CoursePatch>): Promise<Created<Course>> {
    return this.#courses.upsert(tx, principal, key, { create: () => body, decide: (course) => updated(course, patch) });
  }

  move(site: Site, key: Key, name: CourseTransition, tx: EntityManager): Promise<Written<Course>> {
    return this.#courses.change(tx, site, key, (course) => {
      const { to, event } = transition(course.state, name);
      return { event, changes: { state: to, published_at: publishedAt(course, to, new Date()) } };
    });
  }

  /** Progress belongs to an enrollment, ended or not, so a course that ever had one is kept. */
  remove(site: Site, key: Key, tx: EntityManager): Promise<Written<Course>> {
    const error = new ApiError(
      'resource_in_use',
      'The course has or had enrollments, or a membership plan contains it',
      {
        hint: 'Unpublish and archive it instead',
      },
    );
    return this.#courses.remove(tx, site, key, { sql: COURSE_IN_USE, error });
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
