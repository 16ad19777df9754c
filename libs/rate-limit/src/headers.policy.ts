import type { Allowance, Limit } from './limit.js';

/** `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10 §3). */
export function policyHeader({ name, hits, windowSeconds }: Limit): string {
  return `"${name}";q=${hits};w=${windowSeconds}`;
}

/** `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10 §4). */
export function limitHeader({ name }: Limit, { remaining, resetSeconds }: Allowance): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`;
}
