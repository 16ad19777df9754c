import { JobMetrics } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FileJobWorker } from '#src/file-jobs/file-job.worker.js';
import { PageBundleReader } from '#src/page-bundles/page-bundle.reader.js';
import { INTERNAL_FAULT, faultsOf } from './page-deployment.policy.js';
import { PageDeploymentQueue } from './page-deployment.queue.js';
import type { DeploymentJob } from './page-deployment.queue.js';
import { PageDeploymentService } from './page-deployment.service.js';

/** Unpacks queued deployments. One transaction stores the files and ends the job, so a killed run leaves no file. */
@Injectable()
export class PageDeploymentWorker extends FileJobWorker<DeploymentJob, never> {
  constructor(
    queue: PageDeploymentQueue,
    metrics: JobMetrics,
    outbox: Outbox,
    private readonly deployments: PageDeploymentService,
    private readonly bundles: PageBundleReader,
  ) {
    super(queue, metrics, outbox);
  }

  protected override async step(job: Job<DeploymentJob>): Promise<void> {
    // A promotion has checked it.
    if (job.state !== 'queued') return this.queue.end(job);
    try {
      const files = await this.bundles.read(job, job.file_id);
      await this.end(job, (tx) => this.deployments.ready(tx, job, files));
    } catch (error) {
      const faults = faultsOf(error);
      if (faults === undefined) throw error;
      await this.end(job, (tx) => this.deployments.fail(tx, job, faults));
    }
  }

  protected override fail(tx: EntityManager, job: DeploymentJob): Promise<void> {
    return this.deployments.fail(tx, job, [INTERNAL_FAULT]);
  }

  /** Locks the page before the deployment, as requests do. */
  protected override end(job: Job<DeploymentJob>, step: (tx: EntityManager) => Promise<unknown>): Promise<void> {
    return this.outbox.transaction(async (tx) => {
      await this.deployments.lockPage(tx, job);
      await this.queue.end(job, tx);
      await step(tx);
    });
  }
}
