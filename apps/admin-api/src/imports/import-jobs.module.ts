import { JobsModule } from '@lyceum/jobs';
import { Module } from '@nestjs/common';
import { EnrollmentModule } from '#src/enrollments/enrollment.module.js';
import { FileModule } from '#src/files/file.module.js';
import { MemberRolesModule } from '#src/roles/member-roles.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { ImportChecker } from './import.checker.js';
import { ImportModule } from './import.module.js';
import { ImportQueue } from './import.queue.js';
import { ImportSteps } from './import.steps.js';
import { ImportSweep } from './import.sweep.js';
import { ImportWorker } from './import.worker.js';
import { ImportWriter } from './import.writer.js';

/** Runs in the service only: subcommands import no students. */
@Module({
  imports: [ImportModule, JobsModule, MemberRolesModule, EnrollmentModule, FileModule, StudentModule],
  providers: [ImportQueue, ImportChecker, ImportWriter, ImportSteps, ImportWorker, ImportSweep],
})
export class ImportJobsModule {}
