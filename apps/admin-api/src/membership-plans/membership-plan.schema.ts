import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { html, instant, instantOut, money, moneyIn, name, slug } from '@lyceum/rest';
import { z } from 'zod';
import { MEMBERSHIP_PLAN_TEXT } from './membership-plan.listing.js';

export const PLAN_TYPES = ['recurring', 'fixed_date', 'specific_length', 'lifetime'] as const;
export type PlanType = (typeof PLAN_TYPES)[number];

const PLAN_STATES = ['draft', 'active', 'archived'] as const;
export type PlanState = (typeof PLAN_STATES)[number];

const INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type BillingInterval = (typeof INTERVALS)[number];

/** A way to pay a plan. */
export const planPrice = z.object({
  id: z.uuid().describe('Stays the same while the amount changes'),
  interval: z.enum(INTERVALS).nullable().describe('null: paid once'),
  interval_count: z.int(),
  price: money,
  trial_days: z.int(),
});

const EXAMPLE = {
  id: '019ab3c0-b350-7d6e-9f70-4b5c6d7e8f90',
  slug: 'all-courses',
  name: 'All courses',
  description_html: null,
  plan_type: 'recurring',
  state: 'active',
  visible: true,
  ends_at: null,
  quantity: null,
  sold_count: 7,
  prices: [
    {
      id: '019ab3c0-b360-7d6e-9f70-4b5c6d7e8f91',
      interval: 'month',
      interval_count: 1,
      price: { amount_minor: 60_000, currency: 'TWD' },
      trial_days: 14,
    },
  ],
  course_ids: ['019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90'],
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const membershipPlan = resource('MembershipPlan', {
  one: 'membership plan',
  fields: {
    slug: readOnly(z.string().meta({ description: 'Unique at the site' })),
    name: readOnly(z.string()),
    description_html: readOnly(z.string().nullable()),
    plan_type: readOnly(z.enum(PLAN_TYPES)),
    state: readOnly(z.enum(PLAN_STATES)),
    visible: readOnly(z.boolean().meta({ description: 'false: active, but not in the catalog' })),
    ends_at: readOnly(instantOut.nullable().meta({ description: 'End of the sale' })),
    quantity: readOnly(z.int().nullable().meta({ description: 'null: no limit' })),
    sold_count: readOnly(z.int()),
    prices: readOnly(z.array(planPrice)),
    course_ids: readOnly(z.array(z.uuid())),
  },
  details: ['description_html', 'course_ids'],
  sorts: ['-created_at', '-updated_at', 'name'],
  ranges: ['created_at', 'updated_at'],
  filters: { state: z.enum(PLAN_STATES) },
  search: { text: MEMBERSHIP_PLAN_TEXT, in: 'name or slug' },
  examples: { object: EXAMPLE },
});
export type MembershipPlanListQuery = ListQueryOf<typeof membershipPlan>;

/** A plan in a declaration. */
export const membershipPlanDeclaration = z.strictObject({
  slug,
  name: name(200),
  description_html: html(100_000).nullable().default(null),
  plan_type: z.enum(PLAN_TYPES),
  state: z.enum(['active', 'draft']).default('draft'),
  visible: z.boolean().default(true),
  ends_at: instant.nullable().default(null),
  quantity: z.int().min(1).max(1_000_000).nullable().default(null),
  prices: z
    .array(
      z.strictObject({
        /** null: paid once */
        interval: z.enum(INTERVALS).nullable().default(null),
        interval_count: z.int().min(1).max(36).default(1),
        price: moneyIn,
        trial_days: z.int().min(0).max(365).default(0),
      }),
    )
    .max(10)
    .default([]),
  courses: z.array(slug).max(200).default([]),
});
export type MembershipPlanDeclaration = z.infer<typeof membershipPlanDeclaration>;
