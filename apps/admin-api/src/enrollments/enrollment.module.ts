import { Module } from '@nestjs/common';
import { CourseModule } from '#src/courses/course.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { EnrollmentController } from './enrollment.controller.js';
import { EnrollmentExpiry } from './enrollment.expiry.js';
import { EnrollmentRepository } from './enrollment.repository.js';
import { EnrollmentService } from './enrollment.service.js';
import { EnrollmentTools } from './enrollment.tools.js';

@Module({
  imports: [StudentModule, CourseModule],
  controllers: [EnrollmentController],
  providers: [EnrollmentService, EnrollmentRepository, EnrollmentExpiry, EnrollmentTools],
  exports: [EnrollmentService],
})
export class EnrollmentModule {}
