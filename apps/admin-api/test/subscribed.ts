import type { Standing } from '#src/subscriptions/standing.policy.js';

/** A monthly subscription in its first period, from May 10 to June 10, 2027, with seven days of grace. */
export function subscribed(more: Partial<Standing> = {}): Standing {
  const start = new Date('2027-05-10T12:00:00.000Z');
  const end = new Date('2027-06-10T12:00:00.000Z');
  return {
    plan_type: 'recurring',
    billing_interval: 'month',
    interval_count: 1,
    state: 'active',
    state_since: start,
    started_at: start,
    trial_ends_at: null,
    current_period_start: start,
    current_period_end: end,
    cancel_at_period_end: false,
    cancel_reason: null,
    ended_at: null,
    anchor_at: start,
    period_number: 1,
    live_until: new Date('2027-06-17T12:00:00.000Z'),
    changes_at: end,
    ...more,
  };
}
