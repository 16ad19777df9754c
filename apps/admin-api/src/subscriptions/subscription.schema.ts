import { editable, fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { externalId, idIn, instant, instantOut, metadata, multiline } from '@lyceum/rest';
import { z } from 'zod';
import { SUBSCRIPTION_STATES } from './standing.policy.js';

const EXAMPLE = {
  id: '019ab3e0-4d50-7e44-9f66-7a88b99c0d10',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  plan_id: '019ab3c0-b350-7d6e-9f70-4b5c6d7e8f90',
  price_id: '019ab3c0-b360-7d6e-9f70-4b5c6d7e8f91',
  state: 'active',
  started_at: '2026-11-20T08:00:00.000Z',
  trial_ends_at: null,
  current_period_start: '2026-11-20T08:00:00.000Z',
  current_period_end: '2026-12-20T08:00:00.000Z',
  cancel_at_period_end: false,
  next_charge_at: '2026-12-20T08:00:00.000Z',
  ended_at: null,
  cancel_reason: null,
  is_lifetime: false,
  external_id: null,
  metadata: {},
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const at = (description: string) => instantOut.nullable().meta({ description });
const state = z.enum(SUBSCRIPTION_STATES);

export const subscription = resource('Subscription', {
  one: 'subscription',
  fields: {
    student_id: fixed(idIn.meta({ description: 'The student who has the subscription' })),
    plan_id: readOnly(z.uuid()),
    price_id: fixed(idIn.meta({ description: 'A price of the membership plan, which says how long a period is' })),
    state: readOnly(
      state.meta({
        description:
          '`trialing`, `active` and `past_due` give access. `past_due`: the period ended without a payment, and the ' +
          'days of grace run',
      }),
    ),
    started_at: readOnly(at('null: it has not begun')),
    trial_ends_at: readOnly(at('End of the trial; null: it has none')),
    current_period_start: readOnly(at('null: it has not begun')),
    current_period_end: readOnly(at('null: for life, or it has not begun')),
    cancel_at_period_end: readOnly(z.boolean().meta({ description: 'true: it ends with the current period' })),
    next_charge_at: readOnly(at('When the next payment is due; null: none is')),
    ended_at: readOnly(at('null: it has not ended')),
    cancel_reason: readOnly(z.string().nullable()),
    is_lifetime: readOnly(z.boolean()),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  create: {
    state: state
      .extract(['incomplete', 'trialing', 'active'])
      .default('active')
      .meta({ description: '`incomplete` waits for its first payment. Only recurring plans have it and `trialing`' }),
    started_at: instant
      .optional()
      .meta({ description: 'Beginning of a subscription that another system kept before. Default: now' }),
    current_period_end: instant
      .optional()
      .meta({ description: 'End of the current period, or of the trial. Default: as the price says' }),
  },
  patch: {
    current_period_end: instant
      .optional()
      .meta({ description: 'Moves the end of the current period, and the next payment with it' }),
  },
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: {
    student_id: idIn.meta({ description: 'Only subscriptions of this student' }),
    plan_id: idIn.meta({ description: 'Only subscriptions to this membership plan' }),
    state: state.meta({ description: 'Only subscriptions in this state' }),
    external_id: externalId,
  },
  examples: {
    object: EXAMPLE,
    create: { student_id: EXAMPLE.student_id, price_id: EXAMPLE.price_id },
    patch: { current_period_end: '2027-01-31T00:00:00Z' },
  },
});
export type SubscriptionCreate = CreateOf<typeof subscription>;
export type SubscriptionPatch = PatchOf<typeof subscription>;
export type SubscriptionListQuery = ListQueryOf<typeof subscription>;

export const subscriptionCancellation = z
  .strictObject({
    at_period_end: z
      .boolean()
      .default(true)
      .meta({ description: 'false: it ends now, and so does the access that it gives' }),
    reason: multiline(500).nullable().default(null).meta({ description: 'For the records of the school' }),
  })
  .meta({ id: 'SubscriptionCancellation', examples: [{ at_period_end: true, reason: 'Moves abroad' }] });
export type SubscriptionCancellation = z.infer<typeof subscriptionCancellation>;
