import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { ORDER_ITEM_TYPES } from '@lyceum/contracts';
import { MAX_BULK, amount, currency, externalId, idIn, instant, metadata, moneyIn, name } from '@lyceum/rest';
import { z } from 'zod';
import { CODE } from './coupon-code.policy.js';
import { DURATIONS } from './coupon-duration.policy.js';
import { COUPON_STATES } from './coupon.policy.js';

const MAX_MONTHS = 36;
const MAX_IDS = 100;

/** The searched text, exactly as the index has it. */
const COUPON_TEXT = `(name || ' ' || code::text)`;

const code = z.string().trim().regex(CODE, '3 to 40 letters, digits, hyphens and underscores');

// Strict modes of models have no `oneOf`, which a discriminated union would be.
const discount = z
  .union(
    [
      z.strictObject({
        kind: z.literal('fixed_amount'),
        amount: z.strictObject({ amount_minor: amount.min(1), currency }),
      }),
      z.strictObject({ kind: z.literal('percentage'), percent: z.int().min(1).max(100) }),
    ],
    'fixed_amount with an amount above 0, or percentage with a percent from 1 to 100',
  )
  .meta({
    description:
      'fixed_amount: at most the sum of the covered items, in the currency of the order; percentage: of that sum, ' +
      'rounded half up to minor units. Fixed after the first redemption.',
  });

const different = (list: readonly unknown[]): boolean => new Set(list).size === list.length;

const appliesTo = z
  .strictObject({
    item_types: z
      .array(z.enum(ORDER_ITEM_TYPES))
      .max(ORDER_ITEM_TYPES.length)
      .refine(different, 'A type occurs twice')
      .default([])
      .meta({ description: 'Types of the covered items' }),
    ids: z
      .array(idIn)
      .max(MAX_IDS)
      .refine(different, 'An id occurs twice')
      .default([])
      .meta({
        description:
          'Ids of covered courses, plans, membership plans, prices, events, tickets, digital products and consulting ' +
          'services. An id without an object covers nothing.',
      }),
  })
  .meta({ description: 'The items of an order that the coupon reduces. Two empty lists: all items' });

const limit = (max: number) => z.int().min(1).max(max).nullable();

const EXAMPLE = {
  id: '019ab3d0-7c70-7a71-8c82-9d93e04f5500',
  name: 'Ten percent off the first order',
  code: 'WELCOME10',
  discount: { kind: 'percentage', percent: 10 },
  duration: 'once',
  duration_months: null,
  applies_to: { item_types: ['course_plan'], ids: [] },
  starts_at: null,
  expires_at: '2026-12-01T00:00:00.000Z',
  max_redemptions: 100,
  max_per_member: 1,
  min_order: { amount_minor: 50_000, currency: 'TWD' },
  active: true,
  state: 'active',
  redeemed_count: 3,
  external_id: 'coupon-welcome',
  metadata: {},
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const coupon = resource('Coupon', {
  one: 'coupon',
  fields: {
    name: editable(name(200).meta({ description: 'Name that operators read' })),
    code: editable(
      code.meta({
        description:
          'Word that buyers type: 3 to 40 letters, digits, hyphens and underscores. Unique at the site; upper and lower ' +
          'case are the same. Fixed after the first redemption.',
      }),
    ),
    discount: editable(discount),
    duration: editable(
      z.enum(DURATIONS).meta({
        description:
          'Payments of a subscription that it reduces: the first, those of `duration_months`, or all. Renewals that it ' +
          'reduces after its first redemption count for no limit, and `expires_at` does not end them.',
      }),
      'once',
    ),
    duration_months: editable(
      z
        .int()
        .min(1)
        .max(MAX_MONTHS)
        .nullable()
        .meta({ description: 'Months of a repeating coupon, from the first payment; null for the others' }),
      null,
    ),
    applies_to: editable(appliesTo, {}),
    starts_at: editable(instant.nullable().meta({ description: 'Beginning; null: at once' }), null),
    expires_at: editable(instant.nullable().meta({ description: 'End; null: never' }), null),
    max_redemptions: editable(
      limit(1_000_000).meta({ description: 'Redemptions in all, not below those that are used; null: without limit' }),
      null,
    ),
    max_per_member: editable(
      limit(1_000).meta({ description: 'Redemptions of one student; null: without limit' }),
      null,
    ),
    min_order: editable(
      moneyIn.nullable().meta({ description: 'Smallest sum of an order before the discount; null: any' }),
      null,
    ),
    active: readOnly(z.boolean().meta({ description: 'false: deactivated' })),
    state: readOnly(
      z.enum(COUPON_STATES).meta({
        description:
          'scheduled: before `starts_at`; exhausted: `max_redemptions` are used; expired: since `expires_at`; ' +
          'deactivated: by an operator',
      }),
    ),
    redeemed_count: readOnly(
      z.int().min(0).meta({
        description: 'Redemptions, without those that were given back and those of further payments of a subscription',
      }),
    ),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  sorts: ['-created_at', '-updated_at', 'name'],
  ranges: ['created_at', 'updated_at'],
  filters: { state: z.enum(COUPON_STATES), code, external_id: externalId },
  search: { text: COUPON_TEXT, in: 'name or code' },
  examples: {
    object: EXAMPLE,
    create: {
      name: EXAMPLE.name,
      code: EXAMPLE.code,
      discount: EXAMPLE.discount,
      expires_at: EXAMPLE.expires_at,
      max_per_member: 1,
    },
    patch: { name: 'Ten percent off', expires_at: null },
  },
});
export type CouponCreate = CreateOf<typeof coupon>;
export type CouponPatch = PatchOf<typeof coupon>;
export type CouponListQuery = ListQueryOf<typeof coupon>;

/** Terms that all coupons of a request share, and how many it generates. */
export const couponGeneration = coupon.create
  .omit({ code: true, external_id: true })
  .extend({
    prefix: z
      .string()
      .regex(/^(?:[A-Za-z0-9][A-Za-z0-9_-]{0,29})?$/, 'At most 30 letters, digits, hyphens and underscores')
      .prefault('')
      .meta({ description: 'Beginning of all codes: at most 30 letters, digits, hyphens and underscores' }),
    count: z.int().min(1).max(MAX_BULK).meta({ description: 'Number of coupons' }),
  })
  .meta({
    id: 'CouponGeneration',
    examples: [
      {
        name: 'Gift of the harbour fair',
        prefix: 'FAIR-',
        count: 50,
        discount: EXAMPLE.discount,
        max_redemptions: 1,
      },
    ],
  });
export type CouponGeneration = z.output<typeof couponGeneration>;

const generated = z.object({
  id: z.uuid().nullable().meta({ description: 'null in a dry run' }),
  code: z.string().nullable().meta({ description: 'null in a dry run' }),
});
/** Without the component of OpenAPI, for the output of a tool. */
export const generatedCoupons = z.object({ coupons: z.array(generated) });
export const generatedCouponsResponse = generatedCoupons.meta({
  id: 'GeneratedCoupons',
  examples: [{ coupons: [{ id: EXAMPLE.id, code: 'FAIR-K7WQ2MXTBD' }] }],
});
