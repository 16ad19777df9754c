import { ApiError } from '@lyceum/errors';

export const PURCHASE_STATES = ['active', 'expired', 'revoked'] as const;
export type PurchaseState = (typeof PURCHASE_STATES)[number];

/** Rows do not store `expired`, because it follows from `expires_at`. */
export type StoredPurchaseState = Exclude<PurchaseState, 'expired'>;

interface Validity {
  readonly state: StoredPurchaseState;
  readonly expires_at: Date | null;
}

interface Sessions extends Validity {
  readonly sessions_total: number;
  readonly sessions_used: number;
}

export function stateAt({ state, expires_at }: Validity, now: Date): PurchaseState {
  return state === 'active' && expires_at !== null && expires_at <= now ? 'expired' : state;
}

/** A booking uses one session of an active purchase. @throws `invalid_state` */
export function requireSession(purchase: Sessions, now: Date): void {
  const state = stateAt(purchase, now);
  if (state !== 'active') throw new ApiError('invalid_state', `The purchase is ${state}`);
  if (purchase.sessions_used < purchase.sessions_total) return;
  throw new ApiError('invalid_state', 'The purchase has no session left', {
    hint: 'Raise sessions_total, or cancel another booking in time',
  });
}

/** The end of a purchase must be in the future. @throws `validation_failed` */
export function requireLater(expires_at: Date | null, now: Date): void {
  if (expires_at === null || expires_at > now) return;
  throw new ApiError('validation_failed', 'The sessions would have expired already', {
    errors: [{ pointer: '/expires_at', code: 'too_small', detail: 'Must be in the future' }],
  });
}

/** @throws `invalid_state` for a revoked purchase, or fewer sessions than are used */
export function requireExtendable(
  { state, sessions_used }: Pick<Sessions, 'state' | 'sessions_used'>,
  sessions_total: number | undefined,
): void {
  if (state === 'revoked') throw new ApiError('invalid_state', 'A revoked purchase cannot be changed');
  if (sessions_total === undefined || sessions_total >= sessions_used) return;
  throw new ApiError('invalid_state', `${sessions_used} sessions of the purchase are used`, {
    errors: [{ pointer: '/sessions_total', code: 'too_small', detail: `At least ${sessions_used}` }],
  });
}

/** True if a change gives more sessions, or more time for them. */
export function givesMore(
  known: Pick<Sessions, 'expires_at' | 'sessions_total'>,
  { expires_at, sessions_total = 0 }: Partial<Pick<Sessions, 'expires_at' | 'sessions_total'>>,
): boolean {
  const isLonger =
    expires_at !== undefined && known.expires_at !== null && (expires_at === null || expires_at > known.expires_at);
  return isLonger || sessions_total > known.sessions_total;
}

/** A part of the units of an order that is refunded. */
export interface RefundedUnits {
  readonly refunded: number;
  /** Units before the refund. */
  readonly of: number;
}

/** Sessions after a refund of some units: fewer than `sessions_used` when not all of these units are free. */
export function sessionsAfter(
  { sessions_total }: Pick<Sessions, 'sessions_total'>,
  { refunded, of }: RefundedUnits,
): number {
  return sessions_total - Math.floor((sessions_total * refunded) / of);
}

/** A purchase with a booked session cannot be revoked. @throws `resource_in_use` */
export function requireUnbooked(booked: boolean): void {
  if (!booked) return;
  throw new ApiError('resource_in_use', 'Sessions of the purchase are booked', { hint: 'Cancel its bookings first' });
}
