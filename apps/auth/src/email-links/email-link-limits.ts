import { Injectable } from '@nestjs/common';
import { RateLimiter } from '@lyceum/rate-limit';
import { LinkRequestLimits } from '#src/limits/link-request-limits.js';
import type { LinkRequest, LinkRequestRule } from '#src/limits/link-request-limits.js';
import { LIMITS } from '#src/limits/limits.js';

const REQUESTS: LinkRequestRule = {
  bySource: LIMITS.email_links_by_source,
  ofAddress: { ...LIMITS.email_links_by_source, name: 'email_links_of_address', hits: 1 },
  ofStrangers: LIMITS.email_links_of_strangers,
};

/** Limits the mails that a form sends to addresses of others. */
@Injectable()
export class EmailLinkLimits {
  constructor(
    private readonly limits: RateLimiter,
    private readonly requests: LinkRequestLimits,
  ) {}

  /** Seconds until the browser may send the form again; undefined within the limits. */
  secondsToWait(request: LinkRequest): Promise<number | undefined> {
    return this.requests.secondsToWait(REQUESTS, request);
  }

  /** False when the address has received enough mails. The response is the same. */
  async mayMail(siteId: string, address: string): Promise<boolean> {
    return (await this.limits.secondsToWait(LIMITS.email_links, `${siteId}\n${address}`)) === undefined;
  }
}
