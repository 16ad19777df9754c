import { Injectable } from '@nestjs/common';
import { RateLimiter } from '@lyceum/rate-limit';
import type { Limit } from '@lyceum/rate-limit';

/** Limits of one source at one site. */
export interface LinkRequestRule {
  /** Requests for any addresses. Beyond it each address has those of `ofAddress`. */
  readonly bySource: Limit;
  readonly ofAddress: Limit;
  /** All requests of browsers that have not signed in to the account before. */
  readonly ofStrangers: Limit;
}

export interface LinkRequest {
  readonly site_id: string;
  readonly source: string;
  /** The normalized address; empty when it is invalid. */
  readonly account: string;
  /** Undefined: this browser has not signed in to the account before. */
  readonly device: string | undefined;
}

/** Limits requests for links by mail per source, without blocking a whole school behind one address. */
@Injectable()
export class LinkRequestLimits {
  constructor(private readonly limits: RateLimiter) {}

  /** The seconds to wait, if any. */
  async secondsToWait(rule: LinkRequestRule, request: LinkRequest): Promise<number | undefined> {
    const { site_id, source, account, device } = request;
    if (device !== undefined) return undefined;
    const place = `${site_id}\n${source}`;
    const untilAll = await this.limits.secondsToWait(rule.ofStrangers, place);
    if (untilAll !== undefined) return untilAll;
    const isNew = (await this.limits.secondsToWait(rule.ofAddress, `${place}\n${account}`)) === undefined;
    const retryAfter = await this.limits.secondsToWait(rule.bySource, place);
    if (retryAfter === undefined || isNew) return undefined;
    // Refused requests do not count; otherwise one person could lock out all others by repeating them.
    this.limits.giveBack(rule.ofStrangers, place);
    return retryAfter;
  }
}
