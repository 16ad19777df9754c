import { collectionModule } from '@lyceum/collections';
import { CoursePlanModule } from '#src/course-plans/course-plan.module.js';
import { CourseModule } from '#src/courses/course.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { AccessClock } from './access.clock.js';
import { AccessService } from './access.service.js';
import { courseEnrollmentCollection } from './course-enrollment.operations.js';
import { EnrollmentExpansions } from './enrollment.expansions.js';
import { enrollmentCollection, studentEnrollmentCollection } from './enrollment.operations.js';
import { EnrollmentRepository } from './enrollment.repository.js';
import { EnrollmentImports } from './enrollment-imports.service.js';
import { EnrollmentRowsRepository } from './enrollment-rows.repository.js';
import { EnrollmentService } from './enrollment.service.js';
import { EnrollStudentTools } from './enroll-student.tools.js';
import { EnrollStudentsTools } from './enroll-students.tools.js';

export const EnrollmentModule = collectionModule({
  imports: [StudentModule, CourseModule, CoursePlanModule],
  operations: [studentEnrollmentCollection, courseEnrollmentCollection, enrollmentCollection],
  services: [EnrollmentService, AccessService, EnrollmentImports],
  providers: [
    EnrollmentExpansions,
    EnrollmentRepository,
    EnrollmentRowsRepository,
    AccessClock,
    EnrollStudentTools,
    EnrollStudentsTools,
  ],
});
