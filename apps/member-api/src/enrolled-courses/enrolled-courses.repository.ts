import { Injectable } from '@nestjs/common';
import { courseEvents, enrollmentEvents } from '@lyceum/contracts';
import { ReadModel, Consumes, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { ACTIVE, ENROLLED_COURSE, SEEN, UNANNOUNCED } from '#src/course-access/course-access.js';
import { lockAggregates } from '#src/notifications/aggregate-locks.js';
import { coursePathSql } from '#src/notifications/notification-url.js';
import { writeRowsOfPeople } from '#src/people/rows-of-people.js';
import { rowsOf } from '#src/read-models/rows-of.js';
import { BY_ID, nodes, notificationSubject } from '#src/reading/source-catalog.js';
import { coursePage } from '#src/schools/course-page.js';
import { argument, byState, sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';

const VISIBLE = `e.site_id = :site and e.person_id = :person and ${SEEN}`;
const STATE = `case when ${ACTIVE} then 'ACTIVE' else 'EXPIRED' end`;

const enrolledCourses: FieldSource = {
  kind: 'connection',
  name: 'enrolledCourses',
  from: `${ENROLLED_COURSE} where ${VISIBLE}`,
  keys: ['e.started_at', 'e.enrollment_id'],
  filters: byState(STATE),
};

const PAGE_URL = `(select ${coursePage('w', 'c')} from sites w where w.site_id = :site)`;

/** The enrollment that `id` of another row of the same person refers to. */
const enrolledCourseOf = (id: string): string => `${ENROLLED_COURSE} where e.enrollment_id = ${id} and ${VISIBLE}`;

/** The newest enrollment of the member in a course. */
const newestIn = (course: string): FieldSource => ({
  kind: 'one',
  from: {
    EnrolledCourse: `${ENROLLED_COURSE} where ${course} and ${VISIBLE} order by e.started_at desc, e.enrollment_id desc limit 1`,
  },
});

export const enrolledCourseSources: Sources = {
  ...notificationSubject('EnrolledCourse', enrolledCourseOf),
  ...nodes({ EnrolledCourse: enrolledCourseOf }),
  [BY_ID]: { EnrolledCourse: newestIn('c.course_id = :id') },
  Viewer: { enrolledCourses, enrolledCourse: newestIn(`c.slug = ${argument('slug', 'text')}`) },
  EnrolledCourse: {
    id: sql.id('EnrolledCourse', 'e.enrollment_id'),
    courseId: sql.uuid('e.course_id'),
    slug: sql.text('c.slug'),
    name: sql.text('c.name'),
    imageUrl: sql.nullable(sql.text('c.image_url')),
    url: sql.text(`:base_url || ${coursePathSql('c.slug')}`),
    pageUrl: sql.nullable(sql.text(PAGE_URL)),
    expireDate: sql.nullable(sql.instant('e.expires_at')),
    hasLifetimeAccess: sql.boolean('e.expires_at is null'),
    state: sql.name(STATE),
    enrolledAt: sql.instant('e.started_at'),
    completionRate: sql.number('e.completion_rate'),
    completedAt: sql.nullable(sql.instant('e.completed_at')),
  },
};

export type CourseEvent = EventOf<[typeof courseEvents]>;
export type EnrollmentEvent = EventOf<[typeof enrollmentEvents]>;

/** An active enrollment whose course is known, so its member can be notified. */
export interface Announcement {
  readonly enrollment_id: string;
  readonly site_id: string;
  readonly person_id: string;
  readonly name: string;
  readonly slug: string;
}

@Injectable()
@ReadModel('enrolled-courses')
export class EnrolledCoursesRepository {
  @Consumes(courseEvents, 'courses', { table: 'courses' })
  async applyCourses(events: readonly CourseEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'courses', key: ['course_id'] },
      rowsOf(events, ['course_id', 'site_id', 'slug', 'name', 'image_url', 'state', 'published_at']),
    );
  }

  @Consumes(enrollmentEvents, 'enrollments', {
    table: 'enrollments',
    // An old enrollment was announced when it began, and its notification may have been removed since.
    own: { announced_at: `case when s.started_at < now() - interval '1 day' then now() end` },
  })
  async applyEnrollments(events: readonly EnrollmentEvent[], tx: EntityManager): Promise<void> {
    await writeRowsOfPeople(tx, { table: 'enrollments', id: 'enrollment_id' }, events, [
      'enrollment_id',
      'site_id',
      'person_id',
      'course_id',
      'state',
      'source',
      'started_at',
      'first_started_at',
      'expires_at',
      'completion_rate',
      'completed_at',
    ]);
  }

  /**
   * Locks courses. When an enrollment and its course arrive in two concurrent transactions, neither sees the other's
   * row. Without this lock neither would announce the enrollment.
   */
  async lockCourses(courseIds: readonly string[], tx: EntityManager): Promise<void> {
    await lockAggregates(courseIds, tx);
  }

  /** Marks at most `size` enrollments of courses that can be announced for the first time, and returns them. */
  async takeAnnouncementsOfCourses(
    courseIds: readonly string[],
    size: number,
    tx: EntityManager,
  ): Promise<Announcement[]> {
    return this.#takeAnnouncements('e.course_id = any($1::uuid[])', courseIds, size, tx);
  }

  /** Does the same for some enrollments. */
  async takeAnnouncements(enrollmentIds: readonly string[], tx: EntityManager): Promise<Announcement[]> {
    return this.#takeAnnouncements('e.enrollment_id = any($1::uuid[])', enrollmentIds, enrollmentIds.length, tx);
  }

  /** The courses that have enrollments to announce. */
  async coursesToAnnounce(courseIds: readonly string[], tx: EntityManager): Promise<string[]> {
    const rows = await tx.query<{ course_id: string }[]>(
      `select c.course_id from courses c
       where c.course_id = any($1::uuid[]) and c.state not in ('draft', 'deleted') and exists (
         select from enrollments e where e.course_id = c.course_id and e.site_id = c.site_id and ${UNANNOUNCED})`,
      [courseIds],
    );
    return rows.map(({ course_id }) => course_id);
  }

  async #takeAnnouncements(
    which: string,
    ids: readonly string[],
    size: number,
    tx: EntityManager,
  ): Promise<Announcement[]> {
    const [announcements] = await tx.query<[Announcement[], number]>(
      `with batch as materialized (
         select e.enrollment_id, c.name, c.slug from courses c
         join enrollments e on e.course_id = c.course_id and e.site_id = c.site_id
         where ${which} and ${UNANNOUNCED} and c.state not in ('draft', 'deleted')
         limit $2)
       update enrollments e set announced_at = now() from batch
       where e.enrollment_id = batch.enrollment_id and ${UNANNOUNCED}
       returning e.enrollment_id, e.site_id, e.person_id, batch.name, batch.slug`,
      [ids, size],
    );
    return announcements;
  }
}
