import { Injectable } from '@nestjs/common';
import { Outcome } from '@lyceum/errors';
import { sha256 } from '#src/tokens/digest.js';
import { LimitsRepository } from './limits.repository.js';

export interface Limit {
  readonly name: string;
  readonly hits: number;
  readonly windowSeconds: number;
}

/** Limits that all replicas share. auth.md shows them. */
export const LIMITS = {
  registration: { name: 'registration', hits: 20, windowSeconds: 60 },
  /** Client metadata documents that are fetched because of one source, and from one host. */
  documents_by_source: { name: 'documents_by_source', hits: 20, windowSeconds: 60 },
  documents_by_host: { name: 'documents_by_host', hits: 60, windowSeconds: 60 },
} as const satisfies Record<string, Limit>;

@Injectable()
export class LimitsService {
  constructor(private readonly limits: LimitsRepository) {}

  /** @throws Outcome `rate_limited`, with the seconds until the window ends. */
  async take(limit: Limit, who: string): Promise<void> {
    const { hits, left_seconds } = await this.limits.take(sha256(`${limit.name}\n${who}`), limit.windowSeconds);
    if (hits <= limit.hits) return;
    const detail = `There were more than ${limit.hits} requests in ${limit.windowSeconds} seconds`;
    throw new Outcome('rate_limited', detail, { retryAfter: Math.max(1, left_seconds) });
  }
}
