const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Least seconds from a failed attempt to the next one. After the last of them the delivery has failed. */
const RETRY_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

export const DELIVERY_LIMITS = {
  /** Time of one attempt, from the name of the host to the last byte that is read. */
  attemptMs: 15_000,
  /** Bytes that are read of a response. The rest is discarded with the connection. */
  responseBytes: 64 * 1024,
  /** Bytes that the log stores of a response. */
  storedBytes: 16 * 1024,
  /** Characters of a stored error. */
  errorLength: 200,
  /** Deliveries that are sent to an endpoint at the same time, by all replicas. */
  perEndpoint: 10,
  /** Deliveries that an endpoint gets in one turn. */
  perTurn: 50,
  /** A turn starts no further delivery after this time. */
  turnMs: 10_000,
  /** Endpoints that a replica sends to at the same time. Those that fail have places of their own. */
  endpoints: { healthy: 100, failing: 25 },
  /** Endpoints of one site that all replicas send to at the same time: slow ones of a few sites leave places. */
  perSite: { healthy: 10, failing: 5 },
  /** Part of a pause that chance adds, so that deliveries that failed together come back one by one. */
  jitter: 0.2,
  /** Longest pause that `Retry-After` of a response can set. */
  retryAfterSeconds: HOUR,
  /** A replica has an endpoint for this time. After it another one sends the batch again. */
  leaseSeconds: 60,
  /** An endpoint whose failures have not ended for this time is disabled. */
  failingMs: 5 * 24 * HOUR * 1_000,
  /** A delivery is logged for this time. */
  loggedDays: 30,
} as const;

/** An attempt: the response, or why none came. */
export interface Attempt {
  readonly status: number | null;
  readonly error: string | null;
  readonly ms: number;
  /** Seconds for which the response asks to send nothing, at most `retryAfterSeconds`. */
  readonly asked: number | null;
  /** The beginning of the response, as it is stored. */
  readonly body: string | null;
}

const GONE = 410;
/** Statuses whose `Retry-After` counts: too many requests, unavailable. */
const ASKING = [429, 503];

/** Any other status is a failure, also a redirect: it is not followed. */
export function hasSucceeded({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * Seconds until the next attempt; null: it was the last one.
 *
 * @param chance from 0 to 1
 */
export function pauseAfter(attempts: number, asked: number | null, chance = Math.random()): number | null {
  const scheduled = RETRY_SECONDS[attempts - 1];
  if (scheduled === undefined) return null;
  return Math.max(scheduled, asked ?? 0) * (1 + DELIVERY_LIMITS.jitter * chance);
}

/** Reads `Retry-After`: seconds or a date (RFC 9110 §10.2.3). Null: the response asks for no pause. */
export function askedPause(status: number, retryAfter: string | undefined, now: Date): number | null {
  if (!ASKING.includes(status) || retryAfter === undefined) return null;
  const seconds = secondsOf(retryAfter.trim(), now);
  return seconds > 0 ? Math.min(seconds, DELIVERY_LIMITS.retryAfterSeconds) : null;
}

/** NaN for another value. */
function secondsOf(value: string, now: Date): number {
  if (/^\d+$/.test(value)) return Number(value);
  return value.endsWith(' GMT') ? (Date.parse(value) - now.getTime()) / 1_000 : Number.NaN;
}

/** Why a batch of attempts disables their endpoint. */
export function disablesFor(
  attempts: readonly Pick<Attempt, 'status'>[],
  failing_since: Date | null,
  now: Date,
): 'gone' | 'failing' | undefined {
  if (attempts.some(({ status }) => status === GONE)) return 'gone';
  if (attempts.length === 0 || attempts.some(hasSucceeded) || failing_since === null) return undefined;
  return now.getTime() - failing_since.getTime() >= DELIVERY_LIMITS.failingMs ? 'failing' : undefined;
}
