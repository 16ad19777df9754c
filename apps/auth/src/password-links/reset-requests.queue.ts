import { Injectable } from '@nestjs/common';
import { JobQueue } from '@lyceum/jobs';
import type { QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';

export interface ResetRequest {
  readonly site_id: string;
  readonly request_id: string;
  readonly address: string;
  /** The language of the page with the form. */
  readonly language: string;
  readonly requested_at: Date;
}

export const RESET_REQUESTS: QueueDeclaration = {
  name: 'password_reset_requests',
  table: 'password_reset_requests',
  key: ['site_id', 'request_id'],
  columns: ['job.site_id', 'job.request_id', 'job.address', 'job.language', 'job.requested_at'],
  leaseSeconds: 60,
  // The last attempt is some 50 minutes after the first: a link lives for an hour.
  attempts: 11,
  firstRetrySeconds: 10,
  longestRetrySeconds: 600,
  sites: 8,
  jobsOfSite: 2,
};

@Injectable()
export class ResetRequestsQueue extends JobQueue<ResetRequest> {
  constructor(private readonly database: Sql) {
    super(RESET_REQUESTS, database);
  }

  /** The same statement for the address of a member and any other one: its time reveals nothing. */
  async add({ site_id, address, language }: Pick<ResetRequest, 'site_id' | 'address' | 'language'>): Promise<void> {
    const text = `insert into password_reset_requests (site_id, address, language) values ($1, $2, $3)
                  returning 1 as added`;
    await this.database.query({ name: 'add_reset_request', text }, [site_id, address, language]);
  }
}
