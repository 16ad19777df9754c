import { Module } from '@nestjs/common';
import { EnrollmentModule } from '#src/enrollments/enrollment.module.js';
import { LecturerModule } from '#src/lecturers/lecturer.module.js';
import { ProgressModule } from '#src/progress/progress.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { RoleConsumer } from './role.consumer.js';
import { RoleRepository } from './role.repository.js';

@Module({
  imports: [StudentModule, EnrollmentModule, LecturerModule, ProgressModule],
  providers: [RoleConsumer, RoleRepository],
})
export class RoleModule {}
