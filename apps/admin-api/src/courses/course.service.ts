import { courseEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Pager, iso, requireMatch } from '@lyceum/rest';
import type { Page, Written } from '@lyceum/rest';
import type { Course } from './course.entity.js';
import { requireEditable, transition } from './course.policy.js';
import type { CourseState, CourseTransition } from './course.policy.js';
import { changedColumns, newCourse } from './course.patch.policy.js';
import { CourseRepository } from './course.repository.js';
import type { CourseSummary } from './course.repository.js';
import type { CourseCreate, CourseListQuery, CoursePatch } from './course.schema.js';

type Site = Pick<Principal, 'site_id'>;

/** Of a course that is deleted, readers keep that it was. */
interface Standing {
  readonly version: number;
  readonly state: CourseState | 'deleted';
}

@Injectable()
export class CourseService {
  constructor(
    private readonly courses: CourseRepository,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
  ) {}

  list(principal: Principal, query: CourseListQuery): Promise<Page<CourseSummary>> {
    const list = { collection: 'courses', site_id: principal.site_id };
    return this.pager.page(list, query, (after) => this.courses.list(principal, query, after));
  }

  /** How many courses anybody may find, counted up to a bound. */
  countListed(site: Site, atMost: number): Promise<number> {
    return this.courses.countListed(site, atMost);
  }

  /** A hidden course can be read by who knows its slug; one that is not published by nobody. */
  async getPublished(site: Site, slug: string): Promise<Course> {
    const course = await this.courses.findBySlug(site, slug);
    if (course?.state !== 'published') throw missing();
    return course;
  }

  /** As the catalogue shows it: a hidden course is not there. */
  async getListed(site: Site, slug: string): Promise<Course> {
    const course = await this.getPublished(site, slug);
    if (course.hidden) throw missing();
    return course;
  }

  async get(principal: Principal, id: string): Promise<Course> {
    const course = await this.courses.find(principal, id);
    if (course === undefined) throw missing();
    return course;
  }

  findBySlug(principal: Principal, slug: string): Promise<Course | undefined> {
    return this.courses.findBySlug(principal, slug);
  }

  async getBySlug(principal: Principal, slug: string): Promise<Course> {
    const course = await this.findBySlug(principal, slug);
    if (course === undefined) throw missing();
    return course;
  }

  async create(principal: Principal, input: CourseCreate, tx: EntityManager): Promise<Course> {
    const course = await this.courses.insert(tx, principal, newCourse(input));
    if (course === null) throw slugTaken();
    await this.#announce(tx, course, 'created');
    return course;
  }

  async patch(
    principal: Principal,
    id: string,
    change: { readonly patch: CoursePatch; readonly ifMatch: string | undefined },
    tx: EntityManager,
  ): Promise<Written<Course>> {
    const course = await this.#lock(tx, principal, id);
    requireMatch(course.version, change.ifMatch);
    requireEditable(course.state);
    const changes = changedColumns(course, change.patch);
    if (Object.keys(changes).length === 0) return { row: course, changed: false };
    const changed = await this.courses.update(tx, course, changes);
    if (changed === null) throw slugTaken();
    await this.#announce(tx, changed, 'updated');
    return { row: changed, changed: true };
  }

  async move(
    principal: Principal,
    id: string,
    change: { readonly name: CourseTransition; readonly ifMatch: string | undefined },
    tx: EntityManager,
  ): Promise<Course> {
    const course = await this.#lock(tx, principal, id);
    requireMatch(course.version, change.ifMatch);
    const { to, event } = transition(course.state, change.name);
    const published_at = to === 'published' ? (course.published_at ?? new Date()) : course.published_at;
    const changed = await this.courses.update(tx, course, { state: to, published_at });
    if (changed === null) throw slugTaken();
    await this.#announce(tx, changed, event);
    return changed;
  }

  /** For good, while nobody has ever been enrolled (progress hangs on an enrolment, ended or not) and no plan sells it. */
  async remove(
    principal: Principal,
    key: { readonly id: string; readonly ifMatch: string | undefined },
    tx: EntityManager,
  ): Promise<Course> {
    const course = await this.#lock(tx, principal, key.id);
    requireMatch(course.version, key.ifMatch);
    if (!(await this.courses.remove(tx, course))) {
      throw new Outcome('resource_in_use', 'Somebody is, or was, enrolled in the course, or a membership plan has it', {
        hint: 'Unpublish and archive it instead',
      });
    }
    await this.#announce(tx, course, 'deleted', { version: course.version + 1, state: 'deleted' });
    return course;
  }

  async #lock(tx: EntityManager, site: Site, id: string): Promise<Course> {
    const course = await this.courses.lock(tx, site, id);
    if (course === null) throw missing();
    return course;
  }

  /** Those that are there: of one that was deleted there is nothing left to send. */
  republication(): Republication<typeof courseEvents> {
    return {
      events: courseEvents,
      batch: async (tx, after, limit) => {
        const courses = await this.courses.share(tx, after, limit);
        return courses.map((course) => ({ key: [course.site_id, course.id], event: toEvent(course, course) }));
      },
    };
  }

  #announce(
    tx: EntityManager,
    course: Course,
    name: (typeof courseEvents.names)[number],
    standing: Standing = course,
  ): Promise<void> {
    return this.outbox.add(tx, courseEvents, name, toEvent(course, standing));
  }
}

function toEvent(course: CourseSummary, { version, state }: Standing): NewEvent<typeof courseEvents> {
  return {
    aggregate_id: course.id,
    aggregate_version: version,
    site_id: course.site_id,
    data: {
      course_id: course.id,
      site_id: course.site_id,
      slug: course.slug,
      name: course.name,
      subtitle: course.subtitle,
      image_url: course.image_url,
      state,
      published_at: iso(course.published_at),
    },
  };
}

function missing(): Outcome {
  return new Outcome('not_found', 'There is no such course at this site');
}

function slugTaken(): Outcome {
  return new Outcome('already_exists', 'Another course of this site has the slug', {
    errors: [{ pointer: '/slug', code: 'already_exists', detail: 'Taken by another course' }],
  });
}
