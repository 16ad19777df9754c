import { JobsModule } from '@lyceum/jobs';
import { Module } from '@nestjs/common';
import { MemberRolesModule } from '#src/roles/member-roles.module.js';
import { ExportModule } from './export.module.js';
import { ExportQueue } from './export.queue.js';
import { ExportReader } from './export.reader.js';
import { ExportSteps } from './export.steps.js';
import { ExportSweep } from './export.sweep.js';
import { ExportWorker } from './export.worker.js';
import { PartTexts } from './part-texts.js';

/** The workers of exports. Only the service imports them, so subcommands do not run jobs. */
@Module({
  imports: [ExportModule, JobsModule, MemberRolesModule],
  providers: [ExportQueue, ExportReader, ExportSteps, ExportWorker, ExportSweep, PartTexts],
})
export class ExportJobsModule {}
