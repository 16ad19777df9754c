import { Injectable } from '@nestjs/common';
import { JobQueue } from '@lyceum/jobs';
import type { QueueDeclaration } from '@lyceum/jobs';
import { Sql } from '@lyceum/platform';
import { NOTIFICATION_DAYS } from '#src/notifications/kinds.policy.js';
import { AUDIENCES } from './audiences.js';
import type { FanOut } from './fan-out.js';

export type ClaimedFanOut = FanOut & { readonly after_person: string };

const WAITING = Object.entries(AUDIENCES).flatMap(([audience, { ready }]) =>
  ready === undefined ? [] : [`when '${audience}' then ${ready}`],
);

/** A fan-out waits for the rows that its recipients come from, up to the maximum age of a notification. */
const READY = `
  job.created_at > now() - interval '${NOTIFICATION_DAYS} days'
  and case job.audience ${WAITING.join(' ')} else true end`;

export const FAN_OUTS: QueueDeclaration = {
  name: 'fan_outs',
  table: 'fan_outs',
  key: ['site_id', 'occasion'],
  columns: [
    'site_id',
    'occasion',
    'kind',
    'audience',
    'audience_id',
    'parameters',
    'path',
    'subject_id',
    'after_person',
  ].map((column) => `job.${column}`),
  ready: READY,
  leaseSeconds: 60,
  attempts: 10,
  firstRetrySeconds: 5,
  longestRetrySeconds: 900,
  // Each batch is a transaction of some tens of milliseconds.
  sites: 4,
  jobsOfSite: 1,
};

@Injectable()
export class FanOutsQueue extends JobQueue<ClaimedFanOut> {
  constructor(sql: Sql) {
    super(FAN_OUTS, sql);
  }
}
