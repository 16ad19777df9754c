import { Injectable } from '@nestjs/common';
import type { Limit } from '@lyceum/rate-limit';
import { RateLimiter } from '@lyceum/rate-limit';
import { LIMITS } from '#src/limits/limits.js';

/** Requests for one address from one source: the limits that have counted it. */
const OF_ADDRESS: Limit = { ...LIMITS.password_resets_by_source, name: 'password_resets_of_address', hits: 1 };

export interface PasswordResetRequest {
  readonly site_id: string;
  readonly source: string;
  /** The normalized address; empty when it is invalid. */
  readonly account: string;
  /** Undefined: this browser has not signed in to the account before. */
  readonly device: string | undefined;
}

/** Limits the reset links per source, without blocking a whole school behind one address. */
@Injectable()
export class PasswordResetLimits {
  constructor(private readonly limits: RateLimiter) {}

  /** The seconds to wait, if any. */
  async secondsToWait({ site_id, source, account, device }: PasswordResetRequest): Promise<number | undefined> {
    if (device !== undefined) return undefined;
    const place = `${site_id}\n${source}`;
    const isNew = (await this.limits.secondsToWait(OF_ADDRESS, `${place}\n${account}`)) === undefined;
    const untilAll = await this.limits.secondsToWait(LIMITS.password_resets_of_strangers, place);
    if (untilAll !== undefined) return untilAll;
    const retryAfter = await this.limits.secondsToWait(LIMITS.password_resets_by_source, place);
    if (retryAfter === undefined || isNew) return undefined;
    // Refused requests do not count; otherwise one person could lock out all others by repeating them.
    this.limits.giveBack(LIMITS.password_resets_of_strangers, place);
    return retryAfter;
  }

  /** @throws ApiError `rate_limited` when the person has received enough mails */
  async takeMail(siteId: string, account: string): Promise<void> {
    await this.limits.take(LIMITS.password_resets, `${siteId}\n${account}`);
  }
}
