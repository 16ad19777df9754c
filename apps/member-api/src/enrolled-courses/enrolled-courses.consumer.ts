import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { courseEvents, enrollmentEvents, progressEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import { ofKnownPeople } from '#src/people/known-people.js';
import { EnrolledCoursesRepository } from './enrolled-courses.repository.js';
import type { Announcement } from './enrolled-courses.repository.js';

/** Copies courses, enrolments and where lectures were left from the school, and tells a member of an enrolment when it first becomes active. */
@Injectable()
export class EnrolledCoursesConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly enrolledCourses: EnrolledCoursesRepository,
    private readonly notifications: NotificationsService,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'courses',
      stream: 'SCHOOL',
      events: [courseEvents],
      handleAll: async (events, manager) => {
        const ids = events.map(({ data }) => data.course_id);
        await this.enrolledCourses.lockCourses(manager, ids);
        await this.enrolledCourses.applyCourses(manager, events);
        await this.#announce(manager, await this.enrolledCourses.takeAnnouncementsOfCourses(manager, ids));
      },
    });
    this.consumers.register({
      name: 'enrollments',
      stream: 'SCHOOL',
      events: [enrollmentEvents],
      handleAll: async (events, manager) => {
        const known = ofKnownPeople(events);
        if (known.length === 0) return;
        const courses = known.map(({ data }) => data.course_id);
        await this.enrolledCourses.lockCourses(manager, courses);
        await this.enrolledCourses.applyEnrollments(manager, known);
        const ids = known.map(({ data }) => data.enrollment_id);
        await this.#announce(manager, await this.enrolledCourses.takeAnnouncements(manager, ids));
      },
    });
    this.consumers.register({
      name: 'progress',
      stream: 'SCHOOL',
      events: [progressEvents],
      handleAll: (events, manager) => this.enrolledCourses.applyProgress(manager, events),
    });
  }

  async #announce(manager: EntityManager, announcements: readonly Announcement[]): Promise<void> {
    await this.notifications.notify(
      manager,
      announcements.map(({ enrollment_id, site_id, person_id, name, slug }) => ({
        site_id,
        person_id,
        occasion: `enrollment:${enrollment_id}`,
        kind: 'course_enrolled',
        title: `You are enrolled in ${name}`,
        body: 'The course is open for you. You can start right away.',
        path: `/courses/${slug}`,
        subject_id: enrollment_id,
      })),
    );
  }
}
