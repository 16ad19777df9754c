import { Injectable } from '@nestjs/common';
import { RateLimiter } from '@lyceum/rate-limit';
import { LIMITS } from '#src/limits/limits.js';

/** Limits the mails that a form sends to addresses of others. */
@Injectable()
export class EmailLinkLimits {
  constructor(private readonly limits: RateLimiter) {}

  /** Seconds until the source may send the form again; undefined within the limit. */
  secondsToWait(siteId: string, source: string): Promise<number | undefined> {
    return this.limits.secondsToWait(LIMITS.email_links_by_source, `${siteId}\n${source}`);
  }

  /** False when the address has received enough mails. The response is the same. */
  async mayMail(siteId: string, address: string): Promise<boolean> {
    return (await this.limits.secondsToWait(LIMITS.email_links, `${siteId}\n${address}`)) === undefined;
  }
}
