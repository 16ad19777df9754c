import { Injectable } from '@nestjs/common';
import { RateLimiter, RefusedTokens, sourceOf } from '@lyceum/rate-limit';
import { LIMITS } from './limits.js';

type ClientLimit = 'token_requests' | 'revocations' | 'introspections';
type GrantLimit = 'token_requests_of_grant' | 'userinfo_requests';

/** Limits of the token endpoints. Nearly all requests pass without a statement. */
@Injectable()
export class TokenLimits {
  /** Guesses at UserInfo. */
  readonly refusedTokens: RefusedTokens;

  constructor(private readonly limiter: RateLimiter) {
    this.refusedTokens = new RefusedTokens(limiter, LIMITS.refused_tokens);
  }

  /** @throws ApiError `rate_limited` */
  async ofClient(
    limit: ClientLimit,
    siteId: string,
    { client_id, ip }: { client_id: string; ip: string },
  ): Promise<void> {
    await this.limiter.take(LIMITS[limit], `${siteId}\n${sourceOf(ip)}\n${client_id}`);
  }

  /** A refresh stays within its grant, so it resets nothing. @throws ApiError `rate_limited` */
  async ofGrant(limit: GrantLimit, grantId: string | undefined): Promise<void> {
    if (grantId !== undefined) await this.limiter.take(LIMITS[limit], grantId);
  }
}
