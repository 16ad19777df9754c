import { ApiError } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import { daysAfter, periodAt, periodEnd } from '#src/time-zones/period.policy.js';
import { refuse, requireFuture, settled } from './standing.policy.js';
import type { Billing, Standing, Terms } from './standing.policy.js';

/** No school began earlier, so an earlier instant is a mistake. */
const FIRST = new Date('1970-01-01T00:00:00Z');

/** Members that a change sets. */
type Period = Pick<Standing, 'current_period_start' | 'current_period_end' | 'anchor_at' | 'period_number'>;

/** A subscription that an operator starts. */
interface Start {
  readonly state: 'incomplete' | 'trialing' | 'active';
  /** Undefined: now. */
  readonly started_at?: Date | undefined;
  /** Undefined: as the price says. */
  readonly current_period_end?: Date | undefined;
}

/**
 * A subscription without a payment: a gift, or one that another system kept before.
 *
 * @throws `validation_failed` for members that the plan does not allow
 */
export function startedByHand(terms: Terms, start: Start, billing: Billing, now: Date): Standing {
  const { state, started_at = now, current_period_end: end } = start;
  refuse(startErrors(terms, start, now));
  if (state === 'incomplete') return { ...blank(terms, now), state };
  if (state === 'trialing') {
    const trial_ends_at = end ?? daysAfter(started_at, terms.price.trial_days, billing.time_zone);
    requireFuture(trial_ends_at, now, terms.price.trial_days === 0 ? '/current_period_end' : '/started_at');
    return trial(terms, { started_at, trial_ends_at }, billing, now);
  }
  const period = firstPeriod(terms, { started_at, end }, billing, now);
  const given = start.started_at === undefined ? '/price_id' : '/started_at';
  requireFuture(period.current_period_end, now, end === undefined ? given : '/current_period_end');
  return settled({ ...blank(terms, now), state, started_at, ...period }, billing);
}

/** When a subscription was paid. */
interface Payment {
  readonly at: Date;
  /** When the order was recorded, if that was before its payment. It also buys a plan whose sale has ended since. */
  readonly ordered_at?: Date | undefined;
}

/**
 * A subscription that was sold at an instant. It begins with the trial of the price if that has one.
 *
 * @throws `invalid_state` for a plan whose sale or access is over
 */
export function sold(terms: Terms, { at, ordered_at = at }: Payment, billing: Billing): Standing {
  const { ends_at } = terms;
  if (ends_at !== null && ends_at <= at && ends_at <= ordered_at) {
    refuseSale('The sale of the membership plan has ended');
  }
  if (terms.price.trial_days > 0) {
    const trial_ends_at = daysAfter(at, terms.price.trial_days, billing.time_zone);
    return trial(terms, { started_at: at, trial_ends_at }, billing, at);
  }
  const period = firstPeriod(terms, { started_at: at, end: undefined }, billing, at);
  if (period.current_period_end !== null && period.current_period_end <= at) {
    refuseSale('The access of the membership plan has ended');
  }
  return settled({ ...blank(terms, at), state: 'active', started_at: at, ...period }, billing);
}

function refuseSale(detail: string): never {
  throw new ApiError('invalid_state', detail, { errors: [{ pointer: '/item_id', code: 'not_for_sale', detail }] });
}

function blank({ plan_type, price }: Terms, now: Date): Omit<Standing, 'state'> {
  return {
    plan_type,
    billing_interval: price.interval,
    interval_count: price.interval_count,
    state_since: now,
    started_at: null,
    trial_ends_at: null,
    current_period_start: null,
    current_period_end: null,
    cancel_at_period_end: false,
    cancel_reason: null,
    ended_at: null,
    anchor_at: null,
    period_number: 0,
    live_until: null,
    changes_at: null,
  };
}

function trial(
  terms: Terms,
  { started_at, trial_ends_at }: { readonly started_at: Date; readonly trial_ends_at: Date },
  billing: Billing,
  now: Date,
): Standing {
  const period = { current_period_start: started_at, current_period_end: trial_ends_at, anchor_at: trial_ends_at };
  return settled({ ...blank(terms, now), state: 'trialing', started_at, trial_ends_at, ...period }, billing);
}

/** The period that contains an instant, of a subscription that began before it. */
function firstPeriod(
  { plan_type, access_days, access_ends_at, price: { interval, interval_count } }: Terms,
  { started_at, end }: { readonly started_at: Date; readonly end: Date | undefined },
  { time_zone }: Billing,
  now: Date,
): Period {
  const whole = { current_period_start: started_at, anchor_at: null, period_number: 0 };
  if (plan_type === 'lifetime') return { ...whole, current_period_end: null };
  if (plan_type === 'fixed_date') return { ...whole, current_period_end: end ?? access_ends_at };
  if (plan_type === 'specific_length' || interval === null) {
    return { ...whole, current_period_end: end ?? daysAfter(started_at, access_days ?? 0, time_zone) };
  }
  const anchor_at = end ?? started_at;
  const schedule = { anchor_at, interval, interval_count };
  const period_number = end === undefined ? periodAt(schedule, now, time_zone) : 0;
  const [before, current_period_end] = [period_number - 1, period_number].map((n) => periodEnd(schedule, n, time_zone));
  const current_period_start = before === undefined || before < started_at ? started_at : before;
  return { current_period_start, current_period_end: current_period_end ?? null, anchor_at, period_number };
}

function startErrors({ plan_type, price }: Terms, start: Start, now: Date): FieldError[] {
  const { state, started_at = now, current_period_end } = start;
  const errors: FieldError[] = [];
  const add = (member: string, code: FieldError['code'], detail: string): unknown =>
    errors.push({ pointer: `/${member}`, code, detail });
  const begins = state !== 'incomplete';
  if (state !== 'active' && plan_type !== 'recurring') {
    add('state', 'invalid_value', `A subscription to a ${plan_type} plan starts active`);
  }
  if (started_at > now) add('started_at', 'too_large', 'Must not be in the future');
  if (started_at < FIRST) add('started_at', 'too_small', 'Must not be before 1970');
  if (!begins && start.started_at !== undefined) add('started_at', 'invalid_value', 'It has not begun');
  if (current_period_end === undefined) {
    if (state === 'trialing' && price.trial_days === 0) {
      add('current_period_end', 'required', 'The price has no trial, so its end is needed');
    }
  } else if (!begins || plan_type === 'lifetime') {
    add('current_period_end', 'invalid_value', begins ? 'A lifetime plan has no end' : 'It has not begun');
  }
  return errors;
}
