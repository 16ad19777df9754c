import { Injectable } from '@nestjs/common';
import type { courseEvents, enrollmentEvents, progressEvents } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { sql } from '#src/selection/sources.js';
import type { FieldSource, Sources } from '#src/selection/sources.js';

/** Revoked and pending enrolments, and those whose course is not out or gone, are not there. */
const VISIBLE = `e.site_id = :site AND e.person_id = :person AND e.state IN ('active', 'expired')
                 AND c.site_id = e.site_id AND c.state NOT IN ('draft', 'deleted')`;
const ENROLLED_COURSE = 'enrollment e JOIN course c ON c.course_id = e.course_id';

export const enrolledCourses: FieldSource = {
  kind: 'connection',
  name: 'enrolledCourses',
  from: `${ENROLLED_COURSE} WHERE ${VISIBLE}`,
  keys: ['e.started_at', 'e.enrollment_id'],
};

/** The enrolment that another row of the same person names in `id`. */
export const enrolledCourseOf = (id: string): string =>
  `${ENROLLED_COURSE} WHERE e.enrollment_id = ${id} AND ${VISIBLE}`;

/** The newest enrolment of the member in the course of `:id`. */
export const enrolledCourseById: FieldSource = {
  kind: 'one',
  from: {
    EnrolledCourse: `${ENROLLED_COURSE} WHERE c.course_id = :id AND ${VISIBLE} ORDER BY e.started_at DESC, e.enrollment_id DESC LIMIT 1`,
  },
};

export const enrolledCourseSources: Sources = {
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

type Course = z.output<(typeof courseEvents)['data']>;
type Enrollment = z.output<(typeof enrollmentEvents)['data']>;
type Progress = z.output<(typeof progressEvents)['data']>;

/** An enrolment that has become active and whose course is known: its member can be told. */
export interface Announcement {
  readonly enrollment_id: string;
  readonly site_id: string;
  readonly person_id: string;
  readonly name: string;
  readonly slug: string;
}

@Injectable()
export class EnrolledCoursesRepository {
  async applyCourse(manager: EntityManager, course: Course, version: number): Promise<void> {
    await manager.query(
      `INSERT INTO course AS old (course_id, site_id, version, slug, name, image_url, state)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (course_id) DO UPDATE
         SET version = excluded.version, slug = excluded.slug, name = excluded.name, image_url = excluded.image_url,
             state = excluded.state
         WHERE old.version < excluded.version`,
      [course.course_id, course.site_id, version, course.slug, course.name, course.image_url, course.state],
    );
  }

  async applyEnrollment(
    manager: EntityManager,
    enrollment: Enrollment & { person_id: string },
    version: number,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO enrollment AS old (enrollment_id, site_id, person_id, course_id, version, state, started_at,
                                      expires_at, completion_rate, completed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (enrollment_id) DO UPDATE
         SET version = excluded.version, person_id = excluded.person_id, state = excluded.state,
             started_at = excluded.started_at, expires_at = excluded.expires_at,
             completion_rate = excluded.completion_rate, completed_at = excluded.completed_at
         WHERE old.version < excluded.version`,
      [
        enrollment.enrollment_id,
        enrollment.site_id,
        enrollment.person_id,
        enrollment.course_id,
        version,
        enrollment.state,
        enrollment.started_at,
        enrollment.expires_at,
        enrollment.completion_rate,
        enrollment.completed_at,
      ],
    );
  }

  /**
   * The last lecture watched wins, whatever comes last. A tie is decided by what both events carry, so that copies
   * which heard them in another order agree.
   */
  async applyProgress(
    manager: EntityManager,
    progress: Progress & { person_id: string },
    version: number,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO playback AS old (site_id, person_id, course_id, lecture_id, version, title, position_seconds, watched_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (site_id, person_id, course_id) DO UPDATE
         SET lecture_id = excluded.lecture_id, version = excluded.version, title = excluded.title,
             position_seconds = excluded.position_seconds, watched_at = excluded.watched_at
         WHERE (old.watched_at, old.lecture_id, old.version) < (excluded.watched_at, excluded.lecture_id, excluded.version)`,
      [
        progress.site_id,
        progress.person_id,
        progress.course_id,
        progress.lecture_id,
        version,
        progress.lecture_title,
        progress.position_seconds,
        progress.watched_at,
      ],
    );
  }

  /**
   * An enrolment and its course come in two transactions at once, and neither sees the other's row: without this lock
   * neither would find that both are there.
   */
  async lockCourse(manager: EntityManager, courseId: string): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [courseId]);
  }

  /** Marks the enrolments of a course that can be announced for the first time, and returns them. */
  async takeAnnouncements(manager: EntityManager, courseId: string, enrollmentId?: string): Promise<Announcement[]> {
    const [announcements] = await manager.query<[Announcement[], number]>(
      `UPDATE enrollment e SET announced_at = now()
       FROM course c
       WHERE e.course_id = $1 AND ($2::uuid IS NULL OR e.enrollment_id = $2) AND e.announced_at IS NULL AND e.state = 'active'
         AND c.course_id = e.course_id AND c.site_id = e.site_id AND c.state NOT IN ('draft', 'deleted')
       RETURNING e.enrollment_id, e.site_id, e.person_id, c.name, c.slug`,
      [courseId, enrollmentId ?? null],
    );
    return announcements;
  }
}
