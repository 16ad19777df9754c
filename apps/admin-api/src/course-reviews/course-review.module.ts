import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { EnrollmentModule } from '#src/enrollments/enrollment.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { CourseReviewErasure } from './course-review.erasure.js';
import { courseReviewCollection, reviewOfCourseCollection } from './course-review.operations.js';
import { CourseReviewRepository } from './course-review.repository.js';

export const CourseReviewModule = collectionModule({
  imports: [CourseModule, EnrollmentModule, StudentModule],
  operations: [courseReviewCollection, reviewOfCourseCollection],
  providers: [CourseReviewRepository, CourseReviewErasure],
});
