import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { MEMBERSHIP_PLAN_TYPES } from '@lyceum/contracts';
import { externalId, html, idIn, instant, metadata, money, moneyIn, name, slug } from '@lyceum/rest';
import { z } from 'zod';
import { MEMBERSHIP_PLAN_TEXT } from './membership-plan.listing.js';
import { INTERVALS, MAX_PRICES, PLAN_STATES } from './membership-plan.policy.js';

/** Ten years. */
const MAX_ACCESS_DAYS = 3650;
const MAX_COURSES = 200;

/** A price of a plan that visitors can choose. */
export const publicPrice = z.object({
  id: z.uuid().describe('Stays the same while the amount changes'),
  interval: z.enum(INTERVALS).nullable().describe('null: paid once'),
  interval_count: z.int().min(0),
  price: money,
  trial_days: z.int().min(0),
});

const planPrice = publicPrice.extend({ active: z.boolean().describe('false: withdrawn from sale') });

const givenPrice = z.strictObject({
  id: idIn
    .optional()
    .meta({ description: 'Id of a price of this plan to change; without it, a price with other terms is new' }),
  interval: z
    .enum(INTERVALS)
    .nullable()
    .default(null)
    .meta({ description: 'Unit of the period of a recurring plan; null: paid once' }),
  interval_count: z.int().min(1).max(36).default(1).meta({ description: 'Intervals from one payment to the next' }),
  price: moneyIn.meta({ description: 'In the currency of the school, if it has set one' }),
  trial_days: z
    .int()
    .min(0)
    .max(365)
    .default(0)
    .meta({ description: 'Days before the first payment of a recurring plan' }),
  active: z.boolean().default(true).meta({ description: 'false: withdrawn from sale' }),
});

const courseIds = z
  .array(idIn)
  .max(MAX_COURSES)
  .refine((list) => new Set(list).size === list.length, 'A course occurs twice');

const SLUG = 'Unique at the site: lower-case words and hyphens';

const EXAMPLE = {
  id: '019ab3c0-b350-7d6e-9f70-4b5c6d7e8f90',
  slug: 'all-courses',
  name: 'All courses',
  description_html: null,
  plan_type: 'recurring',
  state: 'active',
  visible: true,
  ends_at: null,
  access_days: null,
  access_ends_at: null,
  quantity: null,
  sold_count: 7,
  prices: [
    {
      id: '019ab3c0-b360-7d6e-9f70-4b5c6d7e8f91',
      interval: 'month',
      interval_count: 1,
      price: { amount_minor: 60_000, currency: 'TWD' },
      trial_days: 14,
      active: true,
    },
  ],
  course_ids: ['019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90'],
  external_id: 'all-courses',
  metadata: {},
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const membershipPlan = resource('MembershipPlan', {
  one: 'membership plan',
  fields: {
    slug: editable(slug.meta({ description: SLUG })),
    name: editable(name(200).meta({ description: 'Name that visitors read' })),
    description_html: editable(html(100_000).nullable(), null),
    plan_type: editable(
      z.enum(MEMBERSHIP_PLAN_TYPES).meta({
        description:
          'recurring: paid again after each interval; fixed_date: access until `access_ends_at`; specific_length: access ' +
          'for `access_days`; lifetime: access without an end. Stays after the first sale.',
      }),
    ),
    state: readOnly(z.enum(PLAN_STATES)),
    visible: editable(z.boolean().meta({ description: 'false: active, but not in the catalog' }), true),
    ends_at: editable(instant.nullable().meta({ description: 'End of the sale; null: no end' }), null),
    access_days: editable(
      z.int().min(1).max(MAX_ACCESS_DAYS).nullable().meta({
        description: 'Days of access from the sale, of a specific_length plan; null for the other types',
      }),
      null,
    ),
    access_ends_at: editable(
      instant.nullable().meta({
        description: 'End of access of every buyer, of a fixed_date plan; null for the other types',
      }),
      null,
    ),
    quantity: editable(
      z.int().min(1).max(1_000_000).nullable().meta({ description: 'Memberships that can be sold; null: no limit' }),
      null,
    ),
    sold_count: readOnly(z.int().min(0).meta({ description: 'Sold memberships, exact' })),
    prices: editable(
      z
        .array(givenPrice)
        .max(MAX_PRICES)
        .meta({
          description:
            'Ways to pay. A recurring plan has prices with an interval, the other types have prices that are paid once. A ' +
            'price that a list leaves out is deleted from a draft, and withdrawn from any other plan.',
        }),
      [],
    ),
    course_ids: editable(courseIds.meta({ description: 'Courses of this site that members have access to' }), []),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  create: { slug: slug.optional().meta({ description: `${SLUG}. Without it, the words of the name` }) },
  object: { prices: z.array(planPrice) },
  details: ['description_html', 'course_ids'],
  sorts: ['-created_at', '-updated_at', 'name'],
  ranges: ['created_at', 'updated_at'],
  filters: { state: z.enum(PLAN_STATES), external_id: externalId },
  search: { text: MEMBERSHIP_PLAN_TEXT, in: 'name or slug' },
  examples: {
    object: EXAMPLE,
    create: {
      name: EXAMPLE.name,
      plan_type: EXAMPLE.plan_type,
      prices: [{ interval: 'month', price: { amount_minor: 60_000, currency: 'TWD' }, trial_days: 14 }],
      course_ids: EXAMPLE.course_ids,
    },
    patch: { visible: false, quantity: 100 },
  },
});
export type MembershipPlanCreate = CreateOf<typeof membershipPlan>;
export type MembershipPlanPatch = PatchOf<typeof membershipPlan>;
export type MembershipPlanListQuery = ListQueryOf<typeof membershipPlan>;
