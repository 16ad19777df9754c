import { ApiError } from '@lyceum/errors';
import type { FieldError, FieldErrorCode } from '@lyceum/errors';
import { currencyError } from '#src/school/currency.policy.js';
import { durationRefusal, isContinued } from './coupon-duration.policy.js';
import type { Duration, Renewal } from './coupon-duration.policy.js';
import { discountsOf } from './discount.policy.js';
import type { AppliesTo, Discount, OrderLine } from './discount.policy.js';

export const COUPON_STATES = ['scheduled', 'active', 'exhausted', 'expired', 'deactivated'] as const;
export type CouponState = (typeof COUPON_STATES)[number];

interface Use {
  readonly active: boolean;
  readonly starts_at: Date | null;
  readonly expires_at: Date | null;
  readonly redeemed_count: number;
  readonly max_redemptions: number | null;
}

export function stateAt({ active, starts_at, expires_at, ...use }: Use, now: Date): CouponState {
  if (!active) return 'deactivated';
  if (expires_at !== null && expires_at <= now) return 'expired';
  if (use.max_redemptions !== null && use.redeemed_count >= use.max_redemptions) return 'exhausted';
  return starts_at !== null && starts_at > now ? 'scheduled' : 'active';
}

interface Terms extends Omit<Use, 'active'> {
  readonly discount: Discount;
  readonly duration: Duration;
  readonly duration_months: number | null;
  /** A patch may name a part of it. */
  readonly min_order: { readonly amount_minor?: number; readonly currency?: string } | null;
}

/**
 * Returns the currency of the school, which new amounts of a coupon must have. Null: the coupon has no new amounts. The
 * discount decides about `min_order` if it is an amount.
 */
export function currencyAfter(
  { discount }: Pick<Terms, 'discount'>,
  changes: { readonly discount?: unknown; readonly min_order?: unknown },
  currency: string | null,
): string | null {
  const isNew = (discount.kind === 'fixed_amount' ? changes.discount : changes.min_order) !== undefined;
  return isNew ? currency : null;
}

/**
 * @param currency of the school; null: it has not set one, or the amounts are not new
 * @throws `validation_failed` with each term that does not fit the others; `invalid_state` below the redemptions
 */
export function requireTerms(terms: Terms, currency: string | null): void {
  const { duration, duration_months, starts_at, expires_at, min_order } = terms;
  const errors: FieldError[] = [];
  const refuse = (pointer: string, detail: string): void =>
    void errors.push({ pointer, code: 'invalid_value', detail });
  if ((duration === 'repeating') !== (duration_months !== null)) {
    refuse('/duration_months', duration === 'repeating' ? 'A repeating coupon needs it' : `None with ${duration}`);
  }
  if (starts_at !== null && expires_at !== null && expires_at <= starts_at) {
    refuse('/expires_at', 'Must be later than starts_at');
  }
  const amount = terms.discount.kind === 'fixed_amount' ? terms.discount.amount : null;
  const foreign = currencyError('/discount/amount/currency', amount, currency);
  if (foreign !== undefined) errors.push(foreign);
  const expected = currency ?? amount?.currency;
  if (min_order !== null && (min_order.amount_minor === undefined || min_order.currency === undefined)) {
    refuse('/min_order', 'An amount_minor and a currency');
  } else if (min_order !== null && expected !== undefined && min_order.currency !== expected) {
    refuse('/min_order/currency', `Must be ${expected}`);
  }
  if (errors.length > 0) throw new ApiError('validation_failed', 'The terms of the coupon do not fit', { errors });
  requireRoom(terms);
}

function requireRoom({ redeemed_count, max_redemptions }: Pick<Use, 'redeemed_count' | 'max_redemptions'>): void {
  if (max_redemptions === null || max_redemptions >= redeemed_count) return;
  throw new ApiError('invalid_state', `The coupon has ${redeemed_count} redemptions`, {
    errors: [{ pointer: '/max_redemptions', code: 'too_small', detail: `At least ${redeemed_count}` }],
    hint: 'Deactivate the coupon to end it',
  });
}

/** Students keep the offer that they redeemed. @throws `invalid_state` for another code or discount after that */
export function requireEditable(
  { first_redeemed_at }: { readonly first_redeemed_at: Date | null },
  changes: { readonly code?: unknown; readonly discount?: unknown },
): void {
  if (first_redeemed_at === null || (changes.code === undefined && changes.discount === undefined)) return;
  throw new ApiError('invalid_state', 'The coupon was redeemed, so its code and discount cannot change', {
    hint: 'Deactivate it and create another one',
  });
}

/** Members that decide about the discount of an order with the code, and of the renewals of its subscription. */
const OFFER = ['code', 'discount', 'duration', 'duration_months', 'applies_to', 'min_order'] as const;
const TIMES = ['starts_at', 'expires_at'] as const;

/** A pending order with the code of the coupon may refuse these changes. */
type Changes = { readonly [K in (typeof OFFER)[number]]?: unknown } & Partial<Pick<Use, (typeof TIMES)[number]>>;

export function changesOffer(changes: object): boolean {
  return [...OFFER, ...TIMES].some((member) => member in changes);
}

/** The pending orders that name a coupon. */
export interface PendingOrders {
  readonly exist: boolean;
  /** When the first and the last one within the times of the coupon were recorded. Null: none was. */
  readonly first: Date | null;
  readonly last: Date | null;
}

/**
 * The buyer may pay a pending order at this moment, so its discount stays. Its payment redeems the coupon as of the
 * time of the order, so the coupon stays valid at that time.
 *
 * @throws `resource_in_use`
 */
export function requireUnordered(changes: Changes, { exist, first, last }: PendingOrders): void {
  const { starts_at = null, expires_at = null } = changes;
  const members = [
    ...OFFER.filter((member) => exist && member in changes),
    ...(starts_at !== null && first !== null && starts_at > first ? ['starts_at'] : []),
    ...(expires_at !== null && last !== null && expires_at <= last ? ['expires_at'] : []),
  ];
  if (members.length === 0) return;
  const detail = 'A pending order names the coupon';
  throw new ApiError('resource_in_use', `${detail}, so its terms stay`, {
    errors: members.map((member) => ({ pointer: `/${member}`, code: 'resource_in_use', detail })),
    hint: 'Deactivate it and create another one, or wait until the order is no longer pending',
  });
}

interface RedeemedCoupon extends Use {
  readonly duration: Duration;
  readonly duration_months: number | null;
  readonly discount: Discount;
  readonly applies_to: AppliesTo;
  readonly max_per_member: number | null;
  readonly min_order: { readonly amount_minor: number; readonly currency: string } | null;
}

export interface RedeemedOrder {
  readonly currency: string;
  readonly lines: readonly OrderLine[];
  /** When the student ordered or paid. */
  readonly at: Date;
  /** When the order was recorded, if that was before its payment. The buyer keeps the coupon of that instant. */
  readonly ordered_at?: Date | undefined;
  /** The subscription that the order renews. Undefined: none. */
  readonly renewal?: Renewal | undefined;
}

const REFUSALS: Readonly<Record<Exclude<CouponState, 'active'>, readonly [code: FieldErrorCode, detail: string]>> = {
  deactivated: ['coupon_inactive', 'The coupon is deactivated'],
  scheduled: ['coupon_inactive', 'The coupon has not begun'],
  expired: ['coupon_expired', 'The coupon has expired'],
  exhausted: ['coupon_exhausted', 'All redemptions of the coupon are used'],
};

interface Deactivated {
  readonly active: boolean;
  /** Null: the release before deactivated it, at the latest when it was updated. */
  readonly deactivated_at: Date | null;
  readonly updated_at: Date;
}

/** The coupon for an order that was recorded as pending: one that was deactivated since is active. */
export function offeredTo<C extends Deactivated>(coupon: C, ordered_at: Date | undefined): C {
  const isKept = ordered_at !== undefined && (coupon.deactivated_at ?? coupon.updated_at) >= ordered_at;
  return isKept ? Object.assign({}, coupon, { active: true }) : coupon;
}

/**
 * Returns the discount of each line of an order. A coupon that has reduced a payment of a subscription reduces the next
 * ones of its duration. They need no other redemption, but the coupon must be active.
 *
 * @param used redemptions of the student
 * @throws `invalid_state` when the order cannot redeem the coupon. The code of the error says why.
 */
export function redemptionOf(coupon: RedeemedCoupon, order: RedeemedOrder, used: number): readonly number[] {
  const { discount, max_per_member, min_order } = coupon;
  const refusal = order.renewal && durationRefusal(coupon, order.renewal);
  if (refusal !== undefined) refuseOrder('coupon_not_applicable', refusal);
  const continued = isContinued(order.renewal);
  const state = continued && coupon.active ? 'active' : stateFor(coupon, order);
  if (state !== 'active') refuseOrder(...REFUSALS[state]);
  if (!continued && max_per_member !== null && used >= max_per_member) {
    refuseOrder('coupon_limit_reached', `The student has redeemed the coupon ${used} times`);
  }
  const currencies = [min_order?.currency, discount.kind === 'fixed_amount' ? discount.amount.currency : undefined];
  const other = currencies.find((currency) => currency !== undefined && currency !== order.currency);
  if (other !== undefined) refuseOrder('coupon_not_applicable', `The coupon is for orders in ${other}`);
  const sum = order.lines.reduce((total, { amount_minor }) => total + amount_minor, 0);
  if (min_order !== null && sum < min_order.amount_minor) {
    refuseOrder('coupon_min_order', `The coupon needs an order of at least ${min_order.amount_minor} minor units`);
  }
  const discounts = discountsOf(coupon, order.lines);
  if (discounts.every((amount) => amount === 0)) {
    refuseOrder('coupon_not_applicable', 'The coupon reduces no item of the order');
  }
  return discounts;
}

/** The state at the payment, or that of the order before it if only that one is active. */
function stateFor(coupon: Use, { at, ordered_at = at }: Pick<RedeemedOrder, 'at' | 'ordered_at'>): CouponState {
  return stateAt(coupon, ordered_at) === 'active' ? 'active' : stateAt(coupon, at);
}

function refuseOrder(code: FieldErrorCode, detail: string): never {
  throw new ApiError('invalid_state', detail, { errors: [{ pointer: '/code', code, detail }] });
}

/** @throws `not_found` */
export function refuseUnknownCode(): never {
  throw new ApiError('not_found', 'This site has no such coupon', {
    errors: [{ pointer: '/code', code: 'coupon_not_found', detail: 'No coupon has this code' }],
  });
}

interface KnownRedemption {
  readonly coupon_id: string;
  readonly restored_at: Date | null;
}

/** An order redeems one coupon, once. @throws `invalid_state` */
export function requireSameRedemption(known: KnownRedemption, { id }: { readonly id: string }): void {
  if (known.coupon_id !== id) refuseSecondCoupon();
  if (known.restored_at !== null) refuseOrder('coupon_not_applicable', 'The order has given its redemption back');
}

/** @throws `invalid_state` */
export function refuseSecondCoupon(): never {
  refuseOrder('coupon_not_applicable', 'The order has redeemed another coupon');
}
