import { ApiError } from '@lyceum/errors';

/** So many units in a window, for each subject. The window of a subject begins with its first unit. */
export interface Limit {
  /** Unique in the service. */
  readonly name: string;
  readonly hits: number;
  readonly windowSeconds: number;
  /** What is counted, in the plural, for the message of the refusal. Default: requests. */
  readonly unit?: string;
  /**
   * Units that each replica gives to a subject before it asks PostgreSQL for the first time. A subject that stays below
   * costs no statement; each further replica can let this many units more through. Default: 0.
   */
  readonly unshared?: number;
}

export interface Allowance {
  /** Units that are left in the window, as far as this replica knows. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

export function refusal({ hits, windowSeconds, unit = 'requests' }: Limit, retryAfter: number): ApiError {
  const detail = `At most ${hits} ${unit} are allowed in ${windowSeconds} seconds. Try again in ${retryAfter} seconds`;
  return new ApiError('rate_limited', detail, { retryAfter });
}
