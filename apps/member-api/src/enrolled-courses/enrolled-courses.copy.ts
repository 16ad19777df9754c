import { Injectable } from '@nestjs/common';
import { courseEvents, enrollmentEvents } from '@lyceum/contracts';
import { copyPart } from '@lyceum/messaging';
import type { Copy } from '@lyceum/messaging';
import { EnrolledCoursesRepository } from './enrolled-courses.repository.js';

/** Courses and enrolments as the school says, without telling anybody: the consumer does. */
@Injectable()
export class EnrolledCoursesCopy implements Copy {
  readonly name = 'enrolled-courses';
  readonly parts: Copy['parts'];

  constructor(courses: EnrolledCoursesRepository) {
    this.parts = [
      copyPart({
        reader: 'courses',
        stream: 'SCHOOL',
        events: courseEvents,
        table: 'course',
        apply: (events, manager) => courses.applyCourses(manager, events),
      }),
      copyPart({
        reader: 'enrollments',
        stream: 'SCHOOL',
        events: enrollmentEvents,
        table: 'enrollment',
        // What began long ago was told then, and its notification may be gone by now. What is new may be news still.
        own: { announced_at: `CASE WHEN s.started_at < now() - interval '1 day' THEN now() END` },
        apply: (events, manager) => courses.applyEnrollments(manager, events),
      }),
    ];
  }
}
