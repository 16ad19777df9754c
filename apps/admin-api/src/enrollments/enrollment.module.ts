import { collectionModule } from '@lyceum/collections';
import { CourseModule } from '#src/courses/course.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { Enrollment } from './enrollment.entity.js';
import { EnrollmentExpiry } from './enrollment.expiry.js';
import { EnrollmentOperations } from './enrollment.operations.js';
import { EnrollmentRepository } from './enrollment.repository.js';
import { EnrollmentService } from './enrollment.service.js';
import { EnrollStudentTools } from './enroll-student.tools.js';

export const EnrollmentModule = collectionModule({
  imports: [StudentModule, CourseModule],
  operations: [EnrollmentOperations],
  services: [EnrollmentService],
  providers: [EnrollmentRepository, EnrollmentExpiry, EnrollStudentTools],
  entities: [Enrollment],
  publisher: EnrollmentService,
});
