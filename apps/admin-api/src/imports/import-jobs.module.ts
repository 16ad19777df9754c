import { JobsModule } from '@lyceum/jobs';
import { Module } from '@nestjs/common';
import { CategoryModule } from '#src/categories/category.module.js';
import { CurriculumModule } from '#src/curriculum/curriculum.module.js';
import { EnrollmentModule } from '#src/enrollments/enrollment.module.js';
import { FileModule } from '#src/files/file.module.js';
import { LecturerModule } from '#src/lecturers/lecturer.module.js';
import { MemberRolesModule } from '#src/roles/member-roles.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { ImportChecker } from './import.checker.js';
import { ImportModule } from './import.module.js';
import { ImportQueue } from './import.queue.js';
import { ImportSteps } from './import.steps.js';
import { ImportSweep } from './import.sweep.js';
import { ImportWorker } from './import.worker.js';
import { ImportWriter } from './import.writer.js';
import { ROW_WRITERS, WRITERS } from './row-writers.js';

/** Runs in the service only: subcommands import no rows. */
@Module({
  imports: [
    ImportModule,
    JobsModule,
    MemberRolesModule,
    EnrollmentModule,
    FileModule,
    CategoryModule,
    CurriculumModule,
    LecturerModule,
    SchoolSettingsModule,
    StudentModule,
  ],
  providers: [
    ImportQueue,
    ImportChecker,
    ImportWriter,
    ImportSteps,
    ImportWorker,
    ImportSweep,
    ...WRITERS,
    ROW_WRITERS,
  ],
})
export class ImportJobsModule {}
