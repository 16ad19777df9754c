import { JobQueue } from '@lyceum/jobs';
import type { QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { WebhookErasure } from './webhook-erasure.repository.js';

const COLUMNS: readonly (keyof WebhookErasure)[] = ['site_id', 'id', 'ids', 'texts', 'after_id'];

export const WEBHOOK_ERASURES: QueueDeclaration = {
  name: 'webhook_erasures',
  table: 'webhook_erasures',
  key: ['site_id', 'id'],
  columns: COLUMNS.map((column) => `job.${column}`),
  leaseSeconds: 60,
  // The last attempt is some 22 hours after the first: personal data ends within 24 hours.
  attempts: 32,
  firstRetrySeconds: 5,
  longestRetrySeconds: 3_600,
  sites: 2,
  jobsOfSite: 1,
};

@Injectable()
export class WebhookErasureQueue extends JobQueue<WebhookErasure> {
  constructor(sql: Sql) {
    super(WEBHOOK_ERASURES, sql);
  }
}
