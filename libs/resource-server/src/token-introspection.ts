import type { Principal } from '@lyceum/contracts';

/** What is known about a token, wherever it is shown. */
export type TokenState =
  | { readonly kind: 'active'; readonly principal: Principal; readonly origins: readonly string[] }
  | { readonly kind: 'inactive' };

/** What a token is at one site. `none` is no verdict: auth could not be asked, and nothing may be concluded. */
export type TokenIntrospection =
  | { kind: 'active'; principal: Principal }
  | { kind: 'inactive' }
  | { kind: 'foreign' }
  | { kind: 'none'; retryAfter: number };

export const INACTIVE = { kind: 'inactive' } as const;

/** Nobody could say: `retryAfter` in seconds. */
export class IntrospectionUnavailable extends Error {
  readonly retryAfter: number;

  constructor(reason: string, retryAfter = 1, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = 'IntrospectionUnavailable';
    this.retryAfter = retryAfter;
  }
}
