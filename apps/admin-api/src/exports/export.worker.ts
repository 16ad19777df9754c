import { JobMetrics, LostLease } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { Outbox } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FileJobWorker } from '#src/file-jobs/file-job.worker.js';
import type { ExportError } from './export.policy.js';
import { EXPORTS, ExportQueue } from './export.queue.js';
import type { ExportJob } from './export.queue.js';
import { ExportService } from './export.service.js';
import { ExportSteps } from './export.steps.js';

/**
 * Writes exports, some parts per run. A run stores its parts and then records them in the transaction that ends the
 * run. So a killed or repeated run writes no row twice.
 */
@Injectable()
export class ExportWorker extends FileJobWorker<ExportJob, ExportError> {
  constructor(
    queue: ExportQueue,
    metrics: JobMetrics,
    outbox: Outbox,
    private readonly exports: ExportService,
    private readonly steps: ExportSteps,
  ) {
    super(queue, metrics, outbox);
  }

  protected override async step(job: Job<ExportJob>, signal: AbortSignal): Promise<void> {
    if (job.state === 'queued') {
      const starts = this.outbox.transaction((tx) => this.exports.advance(tx, job, { event: 'started' }));
      if (!(await starts)) throw new LostLease(EXPORTS.name);
    }
    if (job.all_read) {
      const ready = (file_key: string): Promise<void> =>
        this.end(job, (tx) => this.exports.advance(tx, job, { event: 'ready', file_key }));
      await this.steps.join(job, signal, ready);
    } else {
      await this.steps.addParts(job, signal, (tx) => this.queue.again(job, tx));
    }
  }

  protected override fail(tx: EntityManager, job: ExportJob, error: ExportError): Promise<boolean> {
    return this.exports.advance(tx, job, { event: 'failed', error });
  }
}
