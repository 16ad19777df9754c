import { JobsModule } from '@lyceum/jobs';
import { Module } from '@nestjs/common';
import { FileModule } from '#src/files/file.module.js';
import { PageBundleReader } from '#src/page-bundles/page-bundle.reader.js';
import { PageDeploymentModule } from './page-deployment.module.js';
import { PageDeploymentQueue } from './page-deployment.queue.js';
import { PageDeploymentWorker } from './page-deployment.worker.js';

/** The worker of deployments. Only the service imports it, so subcommands do not run jobs. */
@Module({
  imports: [FileModule, JobsModule, PageDeploymentModule],
  providers: [PageBundleReader, PageDeploymentQueue, PageDeploymentWorker],
})
export class PageDeploymentJobsModule {}
