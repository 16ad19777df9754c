import { say } from '@lyceum/messages';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '@lyceum/rate-limit';
import { LIMITS } from '#src/limits/limits.js';
import type { PersonAtSite } from '#src/people/claims.policy.js';
import type { EmailChangeError } from './email-change.page.js';

/** Limits the mails to an address that its owner has not confirmed. */
@Injectable()
export class EmailChangeLimits {
  constructor(private readonly limiter: RateLimiter) {}

  /** The second limit is the same for known and unknown addresses. */
  async error({ person_id }: PersonAtSite, address: string): Promise<EmailChangeError | undefined> {
    const retryAfter =
      (await this.limiter.secondsToWait(LIMITS.email_changes, person_id)) ??
      (await this.limiter.secondsToWait(LIMITS.email_changes_to_address, address));
    if (retryAfter === undefined) return undefined;
    const message = say('email_change.too_many');
    return { status: 429, field: 'email', message, retryAfter };
  }
}
