import { LIMITS } from './configuration.js';

export type BearerToken =
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'token'; readonly token: string };

const ABSENT: BearerToken = { kind: 'absent' };
const malformed = (reason: string): BearerToken => ({ kind: 'malformed', reason });

/** RFC 6750 §2.1 `b64token`; RFC 9110 §11.1: the scheme is case-insensitive, one or more spaces follow it. */
const CREDENTIALS = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Reads the bearer token from the Authorization header alone: the query and the form body (RFC 6750 §2.2, §2.3) are
 * ignored. Takes the raw headers because Node keeps only the first of several Authorization headers.
 */
export function bearerToken(rawHeaders: readonly string[]): BearerToken {
  let value: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (value !== undefined) return malformed('More than one Authorization header');
    value = rawHeaders[i + 1] ?? '';
  }
  if (value === undefined) return ABSENT;
  if (value.length > LIMITS.tokenLength + 'Bearer '.length) return malformed('The Authorization header is too long');
  const token = CREDENTIALS.exec(value.trim())?.[1];
  return token === undefined ? malformed('The Authorization header is not "Bearer <token>"') : { kind: 'token', token };
}
