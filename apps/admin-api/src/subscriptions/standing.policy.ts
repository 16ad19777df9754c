import { types } from 'node:util';
import { ApiError } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import type { PlanType } from '#src/membership-plans/membership-plan.policy.js';
import type { Schedule } from '#src/time-zones/period.policy.js';

export const SUBSCRIPTION_STATES = ['incomplete', 'trialing', 'active', 'past_due', 'canceled', 'expired'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

const DAY_MS = 86_400_000;
/** No response shows a later instant. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Settings of the school that decide about periods. */
export interface Billing {
  readonly time_zone: string;
  /** Days of access after a period that was not renewed. */
  readonly grace_days: number;
}

/** The rules of a plan and its price for a subscription. */
export interface Terms {
  readonly plan_type: PlanType;
  readonly access_days: number | null;
  readonly access_ends_at: Date | null;
  /** End of the sale. */
  readonly ends_at: Date | null;
  readonly price: {
    readonly interval: Schedule['interval'] | null;
    readonly interval_count: number;
    readonly trial_days: number;
  };
}

/** The members of a subscription that the rules read and set. */
export interface Standing {
  readonly plan_type: PlanType;
  /** The interval of the price at the sale. Null: paid once. */
  readonly billing_interval: Schedule['interval'] | null;
  readonly interval_count: number;
  readonly state: SubscriptionState;
  readonly state_since: Date;
  /** Null: it has not begun. */
  readonly started_at: Date | null;
  readonly trial_ends_at: Date | null;
  readonly current_period_start: Date | null;
  /** Null: for life, or it has not begun. */
  readonly current_period_end: Date | null;
  readonly cancel_at_period_end: boolean;
  readonly cancel_reason: string | null;
  readonly ended_at: Date | null;
  /** The end of the current period is that many periods after it. Null: it has not begun, or its plan is paid once. */
  readonly anchor_at: Date | null;
  readonly period_number: number;
  /** Until when the subscription gives access: the end of the period and the days of grace. Null: for life. */
  readonly live_until: Date | null;
  /** When the state changes by time alone. Null: never. */
  readonly changes_at: Date | null;
}

export function isLive(state: SubscriptionState): boolean {
  return state === 'trialing' || state === 'active' || state === 'past_due';
}

/** The state at an instant, which the clock may not have written yet. */
export function standingAt<S extends Standing>(row: S, now: Date): S {
  const { state, current_period_end, live_until, cancel_at_period_end } = row;
  if (!isLive(state)) return row;
  if (live_until !== null && live_until <= now) {
    const ended = cancel_at_period_end ? 'canceled' : 'expired';
    return { ...row, state: ended, state_since: live_until, ended_at: live_until, changes_at: null };
  }
  if (state === 'past_due' || current_period_end === null || current_period_end > now) return row;
  return { ...row, state: 'past_due', state_since: current_period_end, changes_at: live_until };
}

/** When the next payment is due. Null: none is. */
export function nextChargeOf(row: Standing): Date | null {
  const charged = isLive(row.state) && row.plan_type === 'recurring' && !row.cancel_at_period_end;
  return charged ? row.current_period_end : null;
}

/** True if the current period ends later than before, as after a payment or an extension. */
export function isProlonged(before: Standing, after: Standing): boolean {
  const [from, to] = [before.current_period_end, after.current_period_end];
  return from !== null && to !== null && to > from;
}

/** Adds the members that follow from the others. */
export function settled(row: Standing, { grace_days }: Billing): Standing {
  const { state, plan_type, current_period_end, cancel_at_period_end } = row;
  if (!isLive(state) || current_period_end === null) return { ...row, live_until: null, changes_at: null };
  const grace = plan_type === 'recurring' && !cancel_at_period_end ? grace_days * DAY_MS : 0;
  const live_until = new Date(Math.min(current_period_end.getTime() + grace, LAST));
  return { ...row, live_until, changes_at: state === 'past_due' ? live_until : current_period_end };
}

export function requireFuture(end: Date | null, now: Date, pointer: string): void {
  if (end !== null && end <= now) refuse([{ pointer, code: 'too_small', detail: 'The period would be over already' }]);
}

export function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0)
    throw new ApiError('validation_failed', 'The members of the subscription do not fit', { errors });
}

/** @throws `invalid_state` */
export function refuseEnded(state: SubscriptionState): never {
  throw new ApiError('invalid_state', `The subscription is ${state}`, { hint: 'Start another subscription' });
}

const MEMBERS = [
  'state',
  'state_since',
  'started_at',
  'trial_ends_at',
  'current_period_start',
  'current_period_end',
  'cancel_at_period_end',
  'cancel_reason',
  'ended_at',
  'anchor_at',
  'period_number',
  'live_until',
  'changes_at',
] as const satisfies readonly (keyof Standing)[];

/** The members in which a decision differs from the row. */
export function changesOf(row: Standing, next: Standing): Partial<Standing> {
  const same = (a: unknown, b: unknown): boolean =>
    types.isDate(a) && types.isDate(b) ? a.getTime() === b.getTime() : a === b;
  return Object.fromEntries(
    MEMBERS.filter((member) => !same(row[member], next[member])).map((member) => [member, next[member]]),
  );
}
