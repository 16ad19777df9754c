import { Injectable } from '@nestjs/common';
import { JobMetrics, JobWorker } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { Outbox } from '@lyceum/messaging';
import { InvitationsService } from '#src/invitations/invitations.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { ResetRequestsQueue } from './reset-requests.queue.js';
import type { ResetRequest } from './reset-requests.queue.js';

const PAUSE_MS = 500;

/** Creates the link and its mail once for each request, when the address belongs to a member of the site. */
@Injectable()
export class ResetRequestsWorker extends JobWorker<ResetRequest> {
  constructor(
    private readonly requests: ResetRequestsQueue,
    metrics: JobMetrics,
    private readonly sites: SitesService,
    private readonly invitations: InvitationsService,
    private readonly outbox: Outbox,
  ) {
    super(requests, metrics, PAUSE_MS);
  }

  protected override async run(job: Job<ResetRequest>): Promise<void> {
    const site = await this.sites.byId(job.site_id);
    const person = site?.state === 'active' ? await this.invitations.resettable(site, job.address) : undefined;
    if (site === undefined || person === undefined) return this.requests.end(job);
    await this.outbox.transaction(async (manager) => {
      await this.invitations.reset(manager, site, person, job);
      await this.requests.end(job, manager);
    });
  }
}
