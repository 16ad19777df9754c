import { Injectable } from '@nestjs/common';
import type { Principal } from '@lyceum/contracts';
import { RateLimiter } from '@lyceum/rate-limit';
import type { Limit } from '@lyceum/rate-limit';

/** Injectable settings. */
export class CostPointsSettings {
  constructor(readonly pointsPerMinute: number) {}
}

/** The cost points of a person with a client at a site. A refreshed or second token gives no new points. */
@Injectable()
export class CostPoints {
  readonly #limit: Limit;

  constructor(
    private readonly limiter: RateLimiter,
    settings: CostPointsSettings,
  ) {
    this.#limit = { name: 'points', hits: settings.pointsPerMinute, windowSeconds: 60, unit: 'points' };
  }

  get perMinute(): number {
    return this.#limit.hits;
  }

  /**
   * Spends the points of an operation and returns the remaining points; a promise only when PostgreSQL is queried. An
   * operation passes while points remain, even when it costs more; the following minutes pay for the rest.
   *
   * @throws ApiError `rate_limited`
   */
  spend({ site_id, person_id, client_id }: Principal, cost: number): number | Promise<number> {
    const allowance = this.limiter.take(this.#limit, `${site_id}:${person_id}:${client_id}`, cost);
    return allowance instanceof Promise ? allowance.then(({ remaining }) => remaining) : allowance.remaining;
  }
}
