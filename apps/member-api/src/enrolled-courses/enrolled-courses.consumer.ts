import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { courseEvents, enrollmentEvents, progressEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import { EnrolledCoursesRepository } from './enrolled-courses.repository.js';

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
      handle: async ({ data, aggregate_version: version }, manager) => {
        await this.enrolledCourses.lockCourse(manager, data.course_id);
        await this.enrolledCourses.applyCourse(manager, data, version);
        await this.#announce(manager, data.course_id);
      },
    });
    this.consumers.register({
      name: 'enrollments',
      stream: 'SCHOOL',
      events: [enrollmentEvents],
      handle: async ({ data, aggregate_version: version }, manager) => {
        const { person_id } = data;
        // Comes once more, as `linked`, when the person is known.
        if (person_id === null) return;
        await this.enrolledCourses.lockCourse(manager, data.course_id);
        await this.enrolledCourses.applyEnrollment(manager, { ...data, person_id }, version);
        await this.#announce(manager, data.course_id, data.enrollment_id);
      },
    });
    this.consumers.register({
      name: 'progress',
      stream: 'SCHOOL',
      events: [progressEvents],
      handle: async ({ data, aggregate_version: version }, manager) => {
        const { person_id } = data;
        if (person_id !== null) await this.enrolledCourses.applyProgress(manager, { ...data, person_id }, version);
      },
    });
  }

  async #announce(manager: EntityManager, courseId: string, enrollmentId?: string): Promise<void> {
    const announcements = await this.enrolledCourses.takeAnnouncements(manager, courseId, enrollmentId);
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
