import { hash } from 'node:crypto';
import { ApiError } from '@lyceum/errors';

/** Characters. Callers choose some subjects, so a longer one is stored as its digest. */
const LONGEST_KEY = 256;

/** A number of units per window and subject. The window of a subject begins with its first unit. */
export interface Limit {
  /** Unique in the service. */
  readonly name: string;
  /** Units per window. */
  readonly hits: number;
  readonly windowSeconds: number;
  /** Name of the unit in the plural, for the error message. Default: requests. */
  readonly unit?: string;
  /**
   * Units that each replica grants to a subject without a lease. A subject below this number costs no statement, but
   * each further replica can grant this many units in addition. Default: 0.
   */
  readonly unshared?: number;
}

/** The state of a window after units were taken. */
export interface Allowance {
  /** Remaining units of the window, as far as this replica knows. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** The key of the window of a subject in memory. */
export function keyOf({ name }: Limit, subject: string): string {
  const key = `${name}\n${subject}`;
  return key.length <= LONGEST_KEY ? key : hash('sha256', key);
}

/** The key of the window in the store. */
export function storedKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

export function refusal({ hits, windowSeconds, unit = 'requests' }: Limit, retryAfter: number): ApiError {
  const detail = `At most ${hits} ${unit} are allowed in ${windowSeconds} seconds. Try again in ${retryAfter} seconds`;
  return new ApiError('rate_limited', detail, { retryAfter });
}
