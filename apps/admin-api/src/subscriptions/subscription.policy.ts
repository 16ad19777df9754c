import { ApiError } from '@lyceum/errors';
import { periodEnd } from '#src/time-zones/period.policy.js';
import { isLive, refuseEnded, requireFuture, settled, standingAt } from './standing.policy.js';
import type { Billing, Standing, SubscriptionState } from './standing.policy.js';

/**
 * A payment for the next period, which follows the previous one however late it is paid. A failed payment makes the
 * subscription past due, unless that has ended. The instant of the payment decides, because it may be recorded after
 * the subscription has ended by time alone. Undefined: nothing changes.
 *
 * @throws `invalid_state` for a subscription that is paid once, and for the payment of one that had ended
 */
export function renewed(
  known: Standing,
  { paid, at }: { readonly paid: boolean; readonly at: Date },
  billing: Billing,
): Standing | undefined {
  const row = standingAt(reopened(known, at), at);
  const { billing_interval, interval_count, state } = row;
  if (state !== 'incomplete' && !isLive(state)) {
    if (paid) refuseEnded(state);
    return undefined;
  }
  if (billing_interval === null) {
    throw new ApiError('invalid_state', 'The subscription is paid once', { hint: 'Sell its plan again' });
  }
  if (!paid) {
    if (state === 'incomplete' || state === 'past_due') return row === known ? undefined : row;
    return settled({ ...row, state: 'past_due', state_since: at }, billing);
  }
  const anchor_at = row.anchor_at ?? at;
  const schedule = { anchor_at, interval: billing_interval, interval_count };
  const period_number = row.period_number + 1;
  const next = {
    started_at: row.started_at ?? at,
    current_period_start: row.current_period_end ?? at,
    current_period_end: periodEnd(schedule, period_number, billing.time_zone),
    anchor_at,
    period_number,
  };
  return settled({ ...row, ...next, ...into(row, 'active', at) }, billing);
}

/** Undoes an end by time alone that is later than an instant. Only such an end keeps `live_until`. */
function reopened(row: Standing, at: Date): Standing {
  const { state_since, ended_at, live_until, current_period_end } = row;
  if (ended_at === null || live_until === null || live_until <= at) return row;
  return { ...row, state: 'past_due', state_since: current_period_end ?? state_since, ended_at: null };
}

/** Takes the last period back after a refund. Undefined: the subscription has ended already. */
export function shortened(known: Standing, billing: Billing, now: Date): Standing | undefined {
  const row = standingAt(known, now);
  const { anchor_at, billing_interval, interval_count, trial_ends_at } = row;
  if (!isLive(row.state) || anchor_at === null || billing_interval === null) return undefined;
  const endOf = (period: number): Date =>
    periodEnd({ anchor_at, interval: billing_interval, interval_count }, period, billing.time_zone);
  const period_number = row.period_number - 1;
  const current_period_end = endOf(period_number);
  const isTrial = trial_ends_at?.getTime() === current_period_end.getTime();
  const before = endOf(period_number - 1);
  const { started_at } = row;
  const current_period_start = started_at !== null && (isTrial || before < started_at) ? started_at : before;
  const period = { current_period_start, current_period_end, period_number };
  const moved = { ...row, ...period, ...into(row, isTrial ? 'trialing' : 'active', now) };
  const next = standingAt(settled(moved, billing), now);
  // The refund takes the access back, so no payment that is recorded later continues it.
  return isLive(next.state) ? next : { ...next, live_until: null };
}

/** The orders of a subscription beside the one that is refunded. */
export interface OtherOrders {
  /** Orders whose payments were not refunded. */
  readonly paid: number;
  /** Those of them that came later. */
  readonly later: number;
  /** True if one of them, refunded or not, sold the subscription or gave its first period. */
  readonly begun: boolean;
}

/**
 * Takes back what one order gave. A subscription of which no payment is left ends. The order of another period loses
 * that period: the end moves by it, unless the period is over and a later one is paid. Undefined: nothing changes.
 */
export function refunded(
  known: Standing,
  kind: 'sale' | 'start' | 'renewal',
  { paid, later, begun }: OtherOrders,
  billing: Billing,
  now: Date,
): Standing | undefined {
  const row = standingAt(known, now);
  if (paid === 0 && (kind !== 'renewal' || begun)) {
    if (row.ended_at === null) return canceled(known, { at_period_end: false, reason: null }, billing, now);
    // `sold_count` is without the sale, so no payment that is recorded later continues the subscription.
    return row.live_until === null ? undefined : { ...row, live_until: null };
  }
  // The sale gave the trial. The payments that are left gave all periods.
  if (kind === 'sale' && row.trial_ends_at !== null) return undefined;
  const { anchor_at, billing_interval, interval_count } = row;
  if (later > 0 && anchor_at !== null && billing_interval !== null) {
    const schedule = { anchor_at, interval: billing_interval, interval_count };
    if (periodEnd(schedule, row.period_number - later, billing.time_zone) <= now) return undefined;
  }
  return shortened(known, billing, now);
}

/**
 * Moves the end of the current period. The next periods are counted from it.
 *
 * @throws `invalid_state` for a subscription that has ended, has not begun or is for life, `validation_failed`
 */
export function extended(known: Standing, current_period_end: Date, billing: Billing, now: Date): Standing {
  const row = standingAt(known, now);
  const { state, billing_interval, trial_ends_at } = row;
  if (!isLive(state)) refuseEnded(state);
  if (row.current_period_end === null) throw new ApiError('invalid_state', 'The subscription is for life');
  requireFuture(current_period_end, now, '/current_period_end');
  const isTrial = state === 'trialing' && trial_ends_at !== null;
  return settled(
    {
      ...row,
      ...(state === 'past_due' ? into(row, 'active', now) : {}),
      current_period_end,
      trial_ends_at: isTrial ? current_period_end : trial_ends_at,
      anchor_at: billing_interval === null ? null : current_period_end,
      period_number: 0,
    },
    billing,
  );
}

/**
 * Ends a subscription now, or at the end of its period. A period that is over already ends now. Undefined: it is
 * canceled like that already.
 *
 * @throws `invalid_state`
 */
export function canceled(
  known: Standing,
  { at_period_end, reason }: { readonly at_period_end: boolean; readonly reason: string | null },
  billing: Billing,
  now: Date,
): Standing | undefined {
  const row = standingAt(known, now);
  const { state, current_period_end } = row;
  if (state === 'canceled') return undefined;
  if (state === 'expired') refuseEnded(state);
  const cancel_reason = reason ?? row.cancel_reason;
  if (at_period_end && isLive(state)) {
    if (current_period_end === null) {
      throw new ApiError('invalid_state', 'The subscription is for life, so its period has no end', {
        hint: 'Cancel it now: at_period_end false',
      });
    }
    if (row.cancel_at_period_end) return undefined;
    if (current_period_end > now) return settled({ ...row, cancel_at_period_end: true, cancel_reason }, billing);
  }
  return settled({ ...row, ...into(row, 'canceled', now), cancel_reason, ended_at: now }, billing);
}

/** Undoes a cancellation at the end of the period. Undefined: it is not canceled. @throws `invalid_state` */
export function resumed(known: Standing, billing: Billing, now: Date): Standing | undefined {
  const row = standingAt(known, now);
  if (!isLive(row.state) && row.state !== 'incomplete') refuseEnded(row.state);
  if (!row.cancel_at_period_end) return undefined;
  return settled({ ...row, cancel_at_period_end: false, cancel_reason: null }, billing);
}

function into(row: Standing, state: SubscriptionState, since: Date): Pick<Standing, 'state' | 'state_since'> {
  return { state, state_since: row.state === state ? row.state_since : since };
}
