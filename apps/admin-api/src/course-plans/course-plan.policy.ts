import type { COURSE_PLAN_INTERVALS, COURSE_PLAN_TYPES } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { requireCurrency } from '#src/school/currency.policy.js';
import { daysAfter, periodEnd } from '#src/time-zones/period.policy.js';

export type CoursePlanType = (typeof COURSE_PLAN_TYPES)[number];
export type CoursePlanInterval = (typeof COURSE_PLAN_INTERVALS)[number];

/** The members of a plan that depend on its type. */
export interface PlanTerms {
  readonly plan_type: CoursePlanType;
  readonly price: { readonly amount_minor: number; readonly currency: string } | null;
  readonly interval: CoursePlanInterval | null;
  readonly interval_count: number | null;
  readonly access_days: number | null;
  readonly access_ends_at: Date | null;
}

/** The members that decide when access ends. */
export interface AccessTerms extends Omit<PlanTerms, 'price'> {
  /** IANA name of the zone of the school, whose calendar has the days and the periods. */
  readonly time_zone: string;
}

const TERMS = ['price', 'interval', 'interval_count', 'access_days', 'access_ends_at'] as const;
type Term = (typeof TERMS)[number];

/** The members that each type of plan requires. The others are null. */
const NEEDED: Readonly<Record<CoursePlanType, readonly Term[]>> = {
  free: [],
  one_time_purchase: ['price'],
  subscription: ['price', 'interval', 'interval_count'],
  pre_order: ['price'],
  group_buy: ['price'],
  fixed_date: ['price', 'access_ends_at'],
  specific_length: ['price', 'access_days'],
};

/**
 * @param currency of the school; null: it has not set one, or the price is not new
 * @throws `validation_failed` with each member that the type of the plan lacks or does not have
 */
export function requireTerms(plan: PlanTerms, currency: string | null): void {
  const { plan_type, price } = plan;
  const needed = NEEDED[plan_type];
  const errors = TERMS.flatMap((term) => {
    if (needed.includes(term) === (plan[term] !== null)) return [];
    const detail = needed.includes(term) ? `A ${plan_type} plan needs it` : `A ${plan_type} plan has none`;
    return [{ pointer: `/${term}`, code: 'invalid_value' as const, detail }];
  });
  if (errors.length > 0) throw new ApiError('validation_failed', 'The members do not fit the plan_type', { errors });
  if (price?.amount_minor === 0) {
    const detail = 'A price is above 0: a plan without a price has the plan_type free';
    throw new ApiError('validation_failed', 'The price does not fit', {
      errors: [{ pointer: '/price/amount_minor', code: 'invalid_value', detail }],
    });
  }
  requireCurrency(price, currency);
}

/** The end of access that begins at an instant. Null: for life. A subscription gives access for its first period. */
export function accessEndOf(plan: AccessTerms, start: Date): Date | null {
  const { plan_type, interval, interval_count, access_days, access_ends_at, time_zone } = plan;
  if (plan_type === 'fixed_date') return access_ends_at;
  if (plan_type === 'specific_length' && access_days !== null) return daysAfter(start, access_days, time_zone);
  if (plan_type !== 'subscription' || interval === null || interval_count === null) return null;
  return periodEnd({ anchor_at: start, interval, interval_count }, 1, time_zone);
}

/**
 * An order that was recorded before its payment also buys what was withdrawn meanwhile.
 *
 * @param at the instant of the payment
 * @throws `invalid_state` for a plan that is not active, and for one whose access is over
 */
export function requireForSale(
  { active, ...terms }: AccessTerms & { readonly active: boolean },
  at: Date,
  wasPending: boolean,
): void {
  if (!active && !wasPending) refuseSale('The plan is not active');
  const end = accessEndOf(terms, at);
  if (end !== null && end <= at) refuseSale('The access of the plan has ended');
}

function refuseSale(detail: string): never {
  throw new ApiError('invalid_state', detail, { errors: [{ pointer: '/item_id', code: 'not_for_sale', detail }] });
}

/** A plan stays in its course. @throws `already_exists` for an external id of another course */
export function requirePlanOfCourse(plan: { readonly course_id: string }, course_id: string): void {
  if (plan.course_id === course_id) return;
  throw new ApiError('already_exists', 'A plan of another course has this external id', {
    errors: [{ pointer: '/external_id', code: 'already_exists', detail: 'Taken by a plan of another course' }],
  });
}
