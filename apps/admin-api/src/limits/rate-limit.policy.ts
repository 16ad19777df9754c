export type Kind = 'read' | 'write';

/** Requests a minute, of one client at one site, at all replicas together. */
export const QUOTAS: Readonly<Record<Kind, number>> = { read: 600, write: 200 };

/**
 * A replica takes this part of what is left in one go: much while there is much, so that few requests ask the database;
 * one by one towards the end, so that no replica keeps what another one needs.
 */
export const SHARE = 8;

const WINDOW_SECONDS = 60;

export function kindOf(method: string): Kind {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}

/** Minutes since the epoch. */
export function minuteOf(now: number): number {
  return Math.floor(now / 60_000);
}

/** Whole seconds until the next minute, at least one. */
export function secondsLeft(now: number): number {
  return WINDOW_SECONDS - Math.floor((now % 60_000) / 1_000);
}

/** `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10 §3) */
export function policyHeader(kind: Kind): string {
  return `"${kind}";q=${QUOTAS[kind]};w=${WINDOW_SECONDS}`;
}

/** `RateLimit` (the same, §4) */
export function limitHeader(kind: Kind, remaining: number, reset: number): string {
  return `"${kind}";r=${remaining};t=${reset}`;
}
