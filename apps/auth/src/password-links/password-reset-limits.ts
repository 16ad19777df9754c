import { Injectable } from '@nestjs/common';
import { RateLimiter } from '@lyceum/rate-limit';
import { LinkRequestLimits } from '#src/limits/link-request-limits.js';
import type { LinkRequest, LinkRequestRule } from '#src/limits/link-request-limits.js';
import { LIMITS } from '#src/limits/limits.js';

const REQUESTS: LinkRequestRule = {
  bySource: LIMITS.password_resets_by_source,
  ofAddress: { ...LIMITS.password_resets_by_source, name: 'password_resets_of_address', hits: 1 },
  ofStrangers: LIMITS.password_resets_of_strangers,
};

/** Limits the requests for reset links, and the mails to one person. */
@Injectable()
export class PasswordResetLimits {
  constructor(
    private readonly limits: RateLimiter,
    private readonly requests: LinkRequestLimits,
  ) {}

  /** The seconds to wait, if any. */
  secondsToWait(request: LinkRequest): Promise<number | undefined> {
    return this.requests.secondsToWait(REQUESTS, request);
  }

  /** @throws ApiError `rate_limited` when the person has received enough mails */
  async takeMail(siteId: string, account: string): Promise<void> {
    await this.limits.take(LIMITS.password_resets, `${siteId}\n${account}`);
  }
}
