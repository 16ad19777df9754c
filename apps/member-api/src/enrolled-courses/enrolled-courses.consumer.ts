import { Injectable } from '@nestjs/common';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { coursePath } from '#src/notifications/notification-url.js';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import { OCCASIONS } from '#src/notifications/occasions.js';
import { ofKnownPeople } from '#src/people/known-people.js';
import { EnrolledCoursesRepository } from './enrolled-courses.repository.js';
import type { Announcement, CourseEvent, EnrollmentEvent } from './enrolled-courses.repository.js';

/** Notifications in the transaction of an event, which takes some tens of milliseconds then. */
const BATCH = 500;

/** Announces an enrollment to its member when it first becomes active. */
@Injectable()
export class EnrolledCoursesConsumer {
  constructor(
    private readonly enrolledCourses: EnrolledCoursesRepository,
    private readonly notifications: NotificationsService,
    private readonly fanOuts: FanOutsService,
  ) {}

  @Wraps(EnrolledCoursesRepository, 'applyCourses')
  async applyCourses(events: readonly CourseEvent[], tx: EntityManager): Promise<void> {
    const ids = events.map(({ data }) => data.course_id);
    await this.enrolledCourses.lockCourses(ids, tx);
    await this.enrolledCourses.applyCourses(events, tx);
    const announcements = await this.enrolledCourses.takeAnnouncementsOfCourses(ids, BATCH, tx);
    await this.#announce(announcements, tx);
    if (announcements.length === BATCH) await this.#enqueueRest(events, tx);
  }

  @Wraps(EnrolledCoursesRepository, 'applyEnrollments')
  async applyEnrollments(events: readonly EnrollmentEvent[], tx: EntityManager): Promise<void> {
    const known = ofKnownPeople(events);
    const courses = known.map(({ data }) => data.course_id);
    if (known.length > 0) await this.enrolledCourses.lockCourses(courses, tx);
    await this.enrolledCourses.applyEnrollments(events, tx);
    if (known.length === 0) return;
    const ids = known.map(({ data }) => data.enrollment_id);
    await this.#announce(await this.enrolledCourses.takeAnnouncements(ids, tx), tx);
  }

  /** Lets a fan-out announce the enrollments that do not fit in the transaction of an event. */
  async #enqueueRest(events: readonly CourseEvent[], tx: EntityManager): Promise<void> {
    const ids = events.map(({ data }) => data.course_id);
    const left = new Set(await this.enrolledCourses.coursesToAnnounce(ids, tx));
    for (const { data, epoch, aggregate_version } of events) {
      if (!left.delete(data.course_id)) continue;
      await this.fanOuts.enqueue(tx, {
        audience: 'new_enrollments',
        audience_id: data.course_id,
        site_id: data.site_id,
        // It names this event, because a course can get many enrollments several times.
        occasion: `enrollments:${data.course_id}:${epoch}:${aggregate_version}`,
        kind: 'course_enrolled',
        parameters: {},
        path: null,
        subject_id: null,
      });
    }
  }

  async #announce(announcements: readonly Announcement[], tx: EntityManager): Promise<void> {
    await this.notifications.notify(
      tx,
      announcements.map(({ enrollment_id, site_id, person_id, name, slug }) => ({
        site_id,
        person_id,
        occasion: OCCASIONS.enrollment.of(enrollment_id),
        kind: 'course_enrolled',
        parameters: { course: name },
        path: coursePath(slug),
        subject_id: enrollment_id,
      })),
    );
  }
}
