import { Injectable } from '@nestjs/common';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import { ofKnownPeople } from '#src/people/known-people.js';
import { EnrolledCoursesRepository } from './enrolled-courses.repository.js';
import type { Announcement, CourseEvent, EnrollmentEvent } from './enrolled-courses.repository.js';

/** Announces an enrollment to its member when it first becomes active. */
@Injectable()
export class EnrolledCoursesConsumer {
  constructor(
    private readonly enrolledCourses: EnrolledCoursesRepository,
    private readonly notifications: NotificationsService,
  ) {}

  @Wraps(EnrolledCoursesRepository, 'applyCourses')
  async applyCourses(events: readonly CourseEvent[], tx: EntityManager): Promise<void> {
    const ids = events.map(({ data }) => data.course_id);
    await this.enrolledCourses.lockCourses(ids, tx);
    await this.enrolledCourses.applyCourses(events, tx);
    await this.#announce(await this.enrolledCourses.takeAnnouncementsOfCourses(ids, tx), tx);
  }

  @Wraps(EnrolledCoursesRepository, 'applyEnrollments')
  async applyEnrollments(events: readonly EnrollmentEvent[], tx: EntityManager): Promise<void> {
    const known = ofKnownPeople(events);
    if (known.length === 0) return;
    const courses = known.map(({ data }) => data.course_id);
    await this.enrolledCourses.lockCourses(courses, tx);
    await this.enrolledCourses.applyEnrollments(known, tx);
    const ids = known.map(({ data }) => data.enrollment_id);
    await this.#announce(await this.enrolledCourses.takeAnnouncements(ids, tx), tx);
  }

  async #announce(announcements: readonly Announcement[], tx: EntityManager): Promise<void> {
    await this.notifications.notify(
      tx,
      announcements.map(({ enrollment_id, site_id, person_id, name, slug }) => ({
        site_id,
        person_id,
        occasion: `enrollment:${enrollment_id}`,
        kind: 'course_enrolled',
        parameters: { course: name },
        path: `/courses/${slug}`,
        subject_id: enrollment_id,
      })),
    );
  }
}
