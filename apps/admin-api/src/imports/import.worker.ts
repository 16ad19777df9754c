import { JobMetrics, LostLease } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { Outbox } from '@lyceum/messaging';
import { runForActor } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FileJobWorker } from '#src/file-jobs/file-job.worker.js';
import type { ImportError } from './import.policy.js';
import { IMPORTS, ImportQueue } from './import.queue.js';
import type { ImportJob } from './import.queue.js';
import { ImportService } from './import.service.js';
import type { ImportStep } from './import.service.js';
import { ImportSteps } from './import.steps.js';

/**
 * Checks a file in one run, and writes its rows, one part per run. The transaction of a part also records it, so a
 * killed or repeated run writes no row twice.
 */
@Injectable()
export class ImportWorker extends FileJobWorker<ImportJob, ImportError> {
  constructor(
    queue: ImportQueue,
    metrics: JobMetrics,
    outbox: Outbox,
    private readonly imports: ImportService,
    private readonly steps: ImportSteps,
  ) {
    super(queue, metrics, outbox);
  }

  protected override async step(job: Job<ImportJob>, signal: AbortSignal): Promise<void> {
    const end = (step: ImportStep): Promise<void> => this.end(job, (tx) => this.imports.advance(tx, job, step));
    if (job.state === 'running') {
      if (job.part !== null) await this.#addPart(job, job.part);
      else await this.steps.complete(job, await this.imports.faultsOf(job), end);
      return;
    }
    if (job.state === 'queued') {
      const starts = this.outbox.transaction((tx) => this.imports.advance(tx, job, { state: 'checking' }));
      if (!(await starts)) throw new LostLease(IMPORTS.name);
    }
    await this.steps.check(job, signal, end);
  }

  protected override fail(tx: EntityManager, job: ImportJob, error: ImportError): Promise<boolean> {
    return this.imports.advance(tx, job, { state: 'failed', error });
  }

  /** The changes are those of the member who asked for the import. The id of the import is that of their request. */
  #addPart(job: Job<ImportJob>, part: string): Promise<void> {
    const { id, site_id, created_by: member_id, client_id, via } = job;
    return runForActor({ site_id, member_id, client_id, via }, id, () =>
      this.steps.addPart({ ...job, part }, (work) =>
        this.outbox.transaction(
          async (tx) => {
            await work(tx);
            await this.queue.again(job, tx);
          },
          // The students of a short import become people at once, as those of a bulk request do.
          job.parts_count > 1 ? 'bulk' : 'event',
        ),
      ),
    );
  }
}
