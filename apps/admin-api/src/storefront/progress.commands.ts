import { recordProgress } from '@lyceum/contracts';
import { iso } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CourseService } from '#src/courses/course.service.js';
import { ProgressService } from '#src/progress/progress.service.js';
import { StudentService } from '#src/students/student.service.js';
import { SiteCommands } from './site-commands.js';

const STOREFRONTS = { watched_at: '/occurred_at', lecture: '/lecture', unknown: 'not_found' } as const;

/** Records what players report, by the service that the operator API calls: see docs/operate/storefront.md. */
@Injectable()
export class ProgressCommands implements OnModuleInit {
  constructor(
    private readonly commands: SiteCommands,
    private readonly students: StudentService,
    private readonly courses: CourseService,
    private readonly progress: ProgressService,
  ) {}

  onModuleInit(): void {
    this.commands.handle(recordProgress, async (site, { student, course, occurred_at, ...step }, tx) => {
      const { id: student_id } = await this.students.referred(site, student, tx);
      const { id: course_id } = await this.courses.referred(site, course, tx);
      const given = { ...step, course_id, watched_at: new Date(occurred_at) };
      const { row, enrollment } = await this.progress.record(site, student_id, given, tx, STOREFRONTS);
      return {
        enrollment_id: enrollment.id,
        lecture_id: row.lecture_id,
        position_seconds: row.position_seconds,
        watched_at: iso(row.watched_at),
        completion_rate: enrollment.completion_rate,
        completed_at: iso(enrollment.completed_at),
      };
    });
  }
}
