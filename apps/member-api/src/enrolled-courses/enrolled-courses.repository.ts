import { Injectable } from '@nestjs/common';
import { courseEvents, enrollmentEvents, progressEvents } from '@lyceum/contracts';
import { ReadModel, Reads, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { ofKnownPeople } from '#src/people/known-people.js';
import { BY_ID, notificationSubject } from '#src/reading/source-catalogue.js';
import { sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';

/** Revoked and pending enrolments, and those whose course is not out or gone, are not there. */
const VISIBLE = `e.site_id = :site AND e.person_id = :person AND e.state IN ('active', 'expired')
                 AND c.site_id = e.site_id AND c.state NOT IN ('draft', 'deleted')`;
const ENROLLED_COURSE = 'enrollment e JOIN course c ON c.course_id = e.course_id';

const enrolledCourses: FieldSource = {
  kind: 'connection',
  name: 'enrolledCourses',
  from: `${ENROLLED_COURSE} WHERE ${VISIBLE}`,
  keys: ['e.started_at', 'e.enrollment_id'],
};

/** The enrolment that another row of the same person names in `id`. */
const enrolledCourseOf = (id: string): string => `${ENROLLED_COURSE} WHERE e.enrollment_id = ${id} AND ${VISIBLE}`;

/** The newest enrolment of the member in the course of `:id`. */
const enrolledCourseById: FieldSource = {
  kind: 'one',
  from: {
    EnrolledCourse: `${ENROLLED_COURSE} WHERE c.course_id = :id AND ${VISIBLE} ORDER BY e.started_at DESC, e.enrollment_id DESC LIMIT 1`,
  },
};

export const enrolledCourseSources: Sources = {
  ...notificationSubject('EnrolledCourse', enrolledCourseOf),
  [BY_ID]: { EnrolledCourse: enrolledCourseById },
  Viewer: { enrolledCourses },
  EnrolledCourse: {
    id: sql.uuid('e.enrollment_id'),
    courseId: sql.uuid('e.course_id'),
    slug: sql.text('c.slug'),
    name: sql.text('c.name'),
    imageUrl: sql.nullable(sql.text('c.image_url')),
    url: sql.text(`:base_url || '/courses/' || c.slug`),
    expireDate: sql.nullable(sql.instant('e.expires_at')),
    hasLifetimeAccess: sql.boolean('e.expires_at IS NULL'),
    // The school says so too when access runs out, but it may say so late.
    state: {
      kind: 'value',
      json: `CASE WHEN e.state = 'expired' OR e.expires_at <= now() THEN '"EXPIRED"' ELSE '"ACTIVE"' END`,
    },
    enrolledAt: sql.instant('e.started_at'),
    completionRate: sql.number('e.completion_rate'),
    completedAt: sql.nullable(sql.instant('e.completed_at')),
    lastWatchedLecture: {
      kind: 'one',
      from: {
        LastWatchedLecture: `playback w WHERE w.site_id = :site AND w.person_id = :person AND w.course_id = e.course_id`,
      },
    },
  },
  LastWatchedLecture: {
    lectureId: sql.uuid('w.lecture_id'),
    title: sql.nullable(sql.text('w.title')),
    positionSeconds: sql.number('w.position_seconds'),
    watchedAt: sql.instant('w.watched_at'),
  },
};

export type CourseEvent = EventOf<[typeof courseEvents]>;
export type EnrollmentEvent = EventOf<[typeof enrollmentEvents]>;
type ProgressEvent = EventOf<[typeof progressEvents]>;

/** An enrolment that has become active and whose course is known: its member can be told. */
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
  @Reads(courseEvents, 'courses', { table: 'course' })
  async applyCourses(events: readonly CourseEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'course', key: ['course_id'] },
      events.map(({ data, aggregate_version: version }) => ({
        course_id: data.course_id,
        site_id: data.site_id,
        version,
        slug: data.slug,
        name: data.name,
        image_url: data.image_url,
        state: data.state,
      })),
    );
  }

  /** Skips unknown people: their enrolments are published again, as `linked`, when the person is known. */
  @Reads(enrollmentEvents, 'enrollments', {
    table: 'enrollment',
    // An enrollment that began long ago was announced then, and its notification may be gone by now.
    own: { announced_at: `case when s.started_at < now() - interval '1 day' then now() end` },
  })
  async applyEnrollments(events: readonly EnrollmentEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'enrollment', key: ['enrollment_id'] },
      ofKnownPeople(events).map(({ data, aggregate_version: version }) => ({
        enrollment_id: data.enrollment_id,
        site_id: data.site_id,
        person_id: data.person_id,
        course_id: data.course_id,
        version,
        state: data.state,
        started_at: data.started_at,
        expires_at: data.expires_at,
        completion_rate: data.completion_rate,
        completed_at: data.completed_at,
      })),
    );
  }

  /**
   * The last lecture watched wins, whatever comes last. A tie is decided by what both events carry, so that copies
   * which heard them in another order agree.
   */
  @Reads(progressEvents, 'progress')
  async applyProgress(events: readonly ProgressEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      {
        table: 'playback',
        key: ['site_id', 'person_id', 'course_id'],
        newest: ['watched_at', 'lecture_id', 'version'],
      },
      ofKnownPeople(events).map(({ data, aggregate_version: version }) => ({
        site_id: data.site_id,
        person_id: data.person_id,
        course_id: data.course_id,
        lecture_id: data.lecture_id,
        version,
        title: data.lecture_title,
        position_seconds: data.position_seconds,
        watched_at: data.watched_at,
      })),
    );
  }

  /**
   * An enrolment and its course come in two transactions at once, and neither sees the other's row: without this lock
   * neither would find that both are there. Two transactions take the locks of their courses in one order.
   */
  async lockCourses(courseIds: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query(
      `SELECT pg_advisory_xact_lock(lock) FROM (
         SELECT DISTINCT hashtextextended(id, 0) AS lock FROM unnest($1::text[]) AS course (id) ORDER BY lock) AS locks`,
      [courseIds],
    );
  }

  /** Marks the enrolments of courses that can be announced for the first time, and returns them. */
  async takeAnnouncementsOfCourses(courseIds: readonly string[], tx: EntityManager): Promise<Announcement[]> {
    return this.#takeAnnouncements('e.course_id = any($1::uuid[])', courseIds, tx);
  }

  /** The same of some enrolments. */
  async takeAnnouncements(enrollmentIds: readonly string[], tx: EntityManager): Promise<Announcement[]> {
    return this.#takeAnnouncements('e.enrollment_id = any($1::uuid[])', enrollmentIds, tx);
  }

  async #takeAnnouncements(which: string, ids: readonly string[], tx: EntityManager): Promise<Announcement[]> {
    const [announcements] = await tx.query<[Announcement[], number]>(
      `UPDATE enrollment e SET announced_at = now()
       FROM course c
       WHERE ${which} AND e.announced_at IS NULL AND e.state = 'active'
         AND c.course_id = e.course_id AND c.site_id = e.site_id AND c.state NOT IN ('draft', 'deleted')
       RETURNING e.enrollment_id, e.site_id, e.person_id, c.name, c.slug`,
      [ids],
    );
    return announcements;
  }
}
