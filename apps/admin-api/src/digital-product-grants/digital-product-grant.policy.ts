import { ApiError } from '@lyceum/errors';

export const GRANT_STATES = ['active', 'expired', 'revoked'] as const;
export type GrantState = (typeof GRANT_STATES)[number];

export const GRANT_SOURCES = ['order', 'manual'] as const;
export type GrantSource = (typeof GRANT_SOURCES)[number];

interface Validity {
  readonly state: GrantState;
  readonly expires_at: Date | null;
}

/** Returns the state at an instant. The stored state follows it within about half a minute. */
export function stateAt({ state, expires_at }: Validity, now: Date): GrantState {
  return state === 'active' && expires_at !== null && expires_at <= now ? 'expired' : state;
}

/** Returns the later of two ends of access. Null: for life. */
export function laterEnd(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return null;
  return one > other ? one : other;
}

/** The end of a grant must be in the future. @throws `validation_failed` */
export function requireLater(expires_at: Date | null, now: Date): void {
  if (expires_at === null || expires_at > now) return;
  throw new ApiError('validation_failed', 'The access would have expired already', {
    errors: [{ pointer: '/expires_at', code: 'too_small', detail: 'Must be in the future' }],
  });
}

/** @throws `invalid_state` */
export function requireNotRevoked({ state }: Pick<Validity, 'state'>): void {
  if (state === 'revoked') throw new ApiError('invalid_state', 'A revoked purchase cannot be changed');
}

/** An expired grant comes back only while the student has no other. @throws `invalid_state` */
export function requireNoOther(other: { readonly id: string } | undefined): void {
  if (other === undefined) return;
  throw new ApiError('invalid_state', 'The student has another active purchase of the product', {
    hint: 'Change the active purchase instead',
  });
}

interface Sum {
  /** The number of sources that were not taken back. */
  readonly sources: number;
  /** Their latest end. */
  readonly expires_at: Date | null;
}

/**
 * Returns what is left of a grant after some of its sources were taken back. Undefined: nothing changes. Access that an
 * operator has revoked stays revoked.
 */
export function without(
  grant: Validity,
  { sources, expires_at }: Sum,
): { event: 'revoked' | 'updated'; changes: Partial<Validity> } | undefined {
  if (grant.state === 'revoked') return undefined;
  if (sources === 0) return { event: 'revoked', changes: { state: 'revoked' } };
  if (expires_at?.getTime() === grant.expires_at?.getTime()) return undefined;
  return { event: 'updated', changes: { expires_at } };
}
