import { ApiError } from '@lyceum/errors';
import type { QueueDeclaration } from '@lyceum/jobs';

const MINUTE_MS = 60_000;

export const FILE_JOB_LIMITS = {
  /** Jobs of one kind that a site has at one time. */
  perSite: 100,
  /** Attempts of one step. After them the job fails. */
  attempts: 7,
  /** From the creation, and again from the last step, until the job and its files are deleted. */
  lifetimeMs: 24 * 60 * MINUTE_MS,
  /** Links work for one to two of these times. */
  linkMs: 15 * MINUTE_MS,
  /** Roles arrive by events. Those of a new member arrive at most this long after the request. */
  rolesDelayMs: 5 * MINUTE_MS,
} as const;

/** How the queue runs file jobs. */
export const FILE_JOB_QUEUE = {
  key: ['site_id', 'id'],
  // One run checks a whole file, or copies one of up to 2 GB.
  leaseSeconds: 300,
  // A run that is killed or outlives its deadline records no failure: a run after the last attempt does.
  attempts: 2 * FILE_JOB_LIMITS.attempts,
  firstRetrySeconds: 5,
  longestRetrySeconds: 300,
  sites: 2,
  jobsOfSite: 1,
} as const satisfies Partial<QueueDeclaration>;

/** Why a job fails. A failure that is not final is tried again. */
export class JobFailure<Reason extends string = string> extends Error {
  override readonly name = 'JobFailure';

  constructor(
    readonly reason: Reason,
    readonly final = true,
  ) {
    super(`The job failed: ${reason}`);
  }
}

/** @throws `invalid_state` at the limit of the site */
export function requireRoom(jobs: number, kind: 'exports' | 'imports'): void {
  if (jobs < FILE_JOB_LIMITS.perSite) return;
  throw new ApiError('invalid_state', `A site has at most ${FILE_JOB_LIMITS.perSite} ${kind}`, {
    hint: `The ${kind} are deleted a day after their end`,
  });
}

/**
 * The failure of a job whose creator has no role for it. A token showed roles at the request, so those of the last
 * minutes may be on their way.
 */
export function forbidden(requestedAt: Date, now: number): JobFailure<'forbidden'> {
  return new JobFailure('forbidden', now - requestedAt.getTime() >= FILE_JOB_LIMITS.rolesDelayMs);
}

export function expiryAt(now: number): Date {
  return new Date(now + FILE_JOB_LIMITS.lifetimeMs);
}

/** Returns the period of links at an instant. All links of a period are equal, so responses can be cached. */
export function linkPeriod(now: number): { readonly number: number; readonly from: Date; readonly until: Date } {
  const number = Math.floor(now / FILE_JOB_LIMITS.linkMs);
  const from = number * FILE_JOB_LIMITS.linkMs;
  return { number, from: new Date(from), until: new Date(from + 2 * FILE_JOB_LIMITS.linkMs) };
}
