import { Injectable } from '@nestjs/common';
import { JobQueue } from '@lyceum/jobs';
import type { QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';

export interface WantedLogo {
  readonly site_id: string;
  readonly client_key: string;
  readonly logo_uri: string;
}

export const CLIENT_LOGOS: QueueDeclaration = {
  name: 'client_logos',
  table: 'client_logos',
  key: ['site_id', 'client_key'],
  columns: ['job.site_id', 'job.client_key', 'job.logo_uri'],
  // Longer than a fetch.
  leaseSeconds: 60,
  // The last attempt is about a day after the first.
  attempts: 8,
  firstRetrySeconds: 60,
  longestRetrySeconds: 6 * 3_600,
  sites: 4,
  jobsOfSite: 1,
};

@Injectable()
export class ClientLogosQueue extends JobQueue<WantedLogo> {
  constructor(sql: Sql) {
    super(CLIENT_LOGOS, sql);
  }
}
