import { Injectable } from '@nestjs/common';
import { JobMetrics, JobWorker } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { Outbox } from '@lyceum/messaging';
import { SitesService } from '#src/sites/sites.service.js';
import { EmailLinkMails } from './email-link-mails.service.js';
import { EmailLinkRequestsQueue } from './email-link-requests.queue.js';
import type { EmailLinkRequest } from './email-link-requests.queue.js';

const PAUSE_MS = 500;

/** Queues the mail that follows a request: once for each request. */
@Injectable()
export class EmailLinkRequestsWorker extends JobWorker<EmailLinkRequest> {
  constructor(
    private readonly requests: EmailLinkRequestsQueue,
    metrics: JobMetrics,
    private readonly sites: SitesService,
    private readonly mails: EmailLinkMails,
    private readonly outbox: Outbox,
  ) {
    super(requests, metrics, PAUSE_MS);
  }

  protected override async run(job: Job<EmailLinkRequest>): Promise<void> {
    const site = await this.sites.byId(job.site_id);
    await this.outbox.transaction(async (manager) => {
      if (site?.state === 'active') await this.mails.answer(manager, site, job);
      await this.requests.end(job, manager);
    });
  }
}
