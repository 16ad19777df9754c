import { Injectable } from '@nestjs/common';
import { JobQueue } from '@lyceum/jobs';
import type { QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';
import type { EmailLinkPurpose } from './email-link.js';

export interface EmailLinkRequest {
  readonly site_id: string;
  readonly request_id: string;
  readonly purpose: EmailLinkPurpose;
  readonly address: string;
  readonly browser_hash: Buffer;
  /** The language of the page with the form. */
  readonly language: string;
  readonly requested_at: Date;
}

export type NewEmailLinkRequest = Omit<EmailLinkRequest, 'request_id' | 'requested_at'>;

export const EMAIL_LINK_REQUESTS: QueueDeclaration = {
  name: 'email_link_requests',
  table: 'email_link_requests',
  key: ['site_id', 'request_id'],
  columns: [
    'job.site_id',
    'job.request_id',
    'job.purpose',
    'job.address',
    'job.browser_hash',
    'job.language',
    'job.requested_at',
  ],
  leaseSeconds: 60,
  // The last attempt is some 50 minutes after the first: the link of a sign-up lives for an hour.
  attempts: 11,
  firstRetrySeconds: 10,
  longestRetrySeconds: 600,
  sites: 8,
  jobsOfSite: 2,
};

@Injectable()
export class EmailLinkRequestsQueue extends JobQueue<EmailLinkRequest> {
  constructor(private readonly database: Sql) {
    super(EMAIL_LINK_REQUESTS, database);
  }

  /** The same statement for the address of a member and any other one: its time reveals nothing. */
  async add({ site_id, purpose, address, browser_hash, language }: NewEmailLinkRequest): Promise<void> {
    const text = `insert into email_link_requests (site_id, purpose, address, browser_hash, language)
                  values ($1, $2, $3, $4, $5) returning 1 as added`;
    const values = [site_id, purpose, address, browser_hash, language];
    await this.database.query({ name: 'add_email_link_request', text }, values);
  }
}
