import { postReview } from '@lyceum/contracts';
import { iso } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CourseReviewService } from '#src/course-reviews/course-review.service.js';
import { CourseService } from '#src/courses/course.service.js';
import { StudentService } from '#src/students/student.service.js';
import { SiteCommands } from './site-commands.js';

/** Posts the reviews of members: see docs/operate/storefront.md. */
@Injectable()
export class ReviewCommands implements OnModuleInit {
  constructor(
    private readonly commands: SiteCommands,
    private readonly students: StudentService,
    private readonly courses: CourseService,
    private readonly reviews: CourseReviewService,
  ) {}

  onModuleInit(): void {
    this.commands.handle(postReview, async (site, { student, course, occurred_at, ...review }, tx) => {
      const { id: student_id } = await this.students.referred(site, student, tx);
      const { id: course_id } = await this.courses.referred(site, course, tx);
      const written = { ...review, reviewed_at: new Date(occurred_at) };
      const row = await this.reviews.post(site, { student_id, course_id }, written, tx, '/occurred_at');
      return { review_id: row.id, rating: row.rating, reviewed_at: iso(row.reviewed_at) };
    });
  }
}
