import { SITES } from '@lyceum/collections/conventions';
import type { Cases, CreateOther, Json } from '@lyceum/collections/conventions';
import { api } from './convention-target.js';
import { student } from './student-body.js';
import { ADMINISTRATORS } from './unfenced.js';

const NONE = '019ab3c0-0000-7000-8000-000000000000';

/** The id of a monthly price of a plan that is for sale. */
async function newPrice(unique: string, other: CreateOther): Promise<unknown> {
  const plan = await other('/api/v1/membership_plans', {
    slug: unique,
    name: `Plan ${unique}`,
    plan_type: 'recurring',
    prices: [{ interval: 'month', price: { amount_minor: 100, currency: 'TWD' } }],
  });
  await other(`/api/v1/membership_plans/${String(plan['id'])}/activate`, {});
  return (plan['prices'] as readonly Json[])[0]?.['id'];
}

export const subscriptionCases: Cases = {
  create: async (unique, other) => ({
    student_id: (await other('/api/v1/students', student(unique)))['id'],
    price_id: await newPrice(unique, other),
    external_id: unique,
  }),
  patch: { current_period_end: '2099-01-01T00:00:00.000Z', metadata: { a: 'b' } },
  unique: ['external_id'],
  readOnly: ['plan_id', 'trial_ends_at', 'cancel_at_period_end', 'next_charge_at', 'ended_at', 'cancel_reason'],
  fixed: ['student_id', 'price_id', 'state', 'started_at'],
  derived: ['started_at', 'current_period_start', 'current_period_end', 'next_charge_at', 'ended_at'],
  bodies: {
    cancel: { at_period_end: true, reason: 'Moves' },
    resume: async () => {
      await api.query(
        `update subscriptions set cancel_at_period_end = true, live_until = current_period_end
         where site_id = $1 and state = 'active'`,
        [SITES[0].site_id],
      );
      return {};
    },
  },
  filters: {
    state: [({ state }) => state, 'expired'],
    student_id: [({ student_id }) => student_id, NONE],
    plan_id: [({ plan_id }) => plan_id, NONE],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  personal: true,
  // The body of the case cancels all subscriptions, also the one that must stay: subscriptions.spec.ts has the rule.
  exempt: [
    "answers 404 for another site's object, as for an unknown one: POST /api/v1/subscriptions/{id}/resume",
    "answers a tool call for another site's object as for an unknown one: resume_subscription",
  ],
  unfenced: ADMINISTRATORS,
};
