import type { Principal } from '@lyceum/contracts';
import type { BearerToken } from './bearer-token.js';

/** Introspection result of a token, independent of the site. */
export type TokenState =
  | { readonly kind: 'active'; readonly principal: Principal; readonly origins: readonly string[] }
  | { readonly kind: 'inactive' };

/**
 * Introspection result of a token at one site. `none` means that auth was unavailable, so nothing is known about the
 * token.
 */
export type TokenIntrospection =
  | { kind: 'active'; principal: Principal }
  | { kind: 'inactive' }
  | { kind: 'foreign' }
  | { kind: 'none'; retryAfter: number };

/** The token of a request with its introspection result, or why the request has no token. */
export type Presented = Exclude<BearerToken, { readonly kind: 'token' }> | TokenIntrospection;

export const INACTIVE = { kind: 'inactive' } as const;

/** No introspection result; `retryAfter` in seconds. */
export class IntrospectionUnavailable extends Error {
  readonly retryAfter: number;

  constructor(reason: string, { retryAfter = 1, ...options }: ErrorOptions & { readonly retryAfter?: number } = {}) {
    super(reason, options);
    this.name = 'IntrospectionUnavailable';
    this.retryAfter = retryAfter;
  }
}
