import { Injectable } from '@nestjs/common';
import { JobMetrics, JobWorker } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { Outbox } from '@lyceum/messaging';
import { ClientLogosQueue } from './client-logos.queue.js';
import type { WantedLogo } from './client-logos.queue.js';
import { ClientLogosRepository } from './client-logos.repository.js';
import { LogoFetcher } from './logo-fetcher.js';

const PAUSE_MS = 1_000;

/** Fetches each logo once after the approval. A client without a good logo keeps its initial, which is no failure. */
@Injectable()
export class ClientLogosWorker extends JobWorker<WantedLogo> {
  constructor(
    queue: ClientLogosQueue,
    metrics: JobMetrics,
    private readonly logos: ClientLogosRepository,
    private readonly fetcher: LogoFetcher,
    private readonly outbox: Outbox,
  ) {
    super(queue, metrics, PAUSE_MS);
  }

  protected override async run(job: Job<WantedLogo>): Promise<void> {
    const fetched = await this.fetcher.fetch(new URL(job.logo_uri));
    const isLast = job.attempts >= this.queue.declaration.attempts;
    if (fetched.kind === 'unreachable' && !isLast) throw new Error(`no logo yet: ${fetched.reason}`);
    await this.outbox.transaction(async (manager) => {
      if (fetched.kind === 'found') await this.logos.save(manager, job.site_id, job.client_key, fetched);
      await this.queue.end(job, manager);
    });
  }
}
