import { readOnly, resource } from '@lyceum/collections';
import type { ListQueryOf } from '@lyceum/collections';
import { ORDER_ITEM_TYPES, ORDER_STATES } from '@lyceum/contracts';
import { amount, currency, externalId, idIn, instantOut, multiline } from '@lyceum/rest';
import { z } from 'zod';

const EXAMPLE = {
  id: '019ab3d0-7e70-7f77-8a88-9b99c00d1100',
  number: 'harbour-1002',
  state: 'partially_refunded',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  buyer_name: 'Student of Both Sites',
  buyer_email: 'student@both.example',
  currency: 'TWD',
  subtotal_minor: 240_000,
  discount_minor: 0,
  tax_minor: 0,
  tax_included: false,
  total_minor: 240_000,
  refunded_minor: 24_000,
  coupon_code: null,
  payment_method: 'card',
  source: 'checkout',
  subscription_id: null,
  item_types: ['course_plan'],
  paid_at: '2026-11-20T08:00:00.000Z',
  payment_refusal: null,
  refunded_at: '2026-11-21T08:00:00.000Z',
  line_items: [
    {
      position: 1,
      item_type: 'course_plan',
      item_id: '019ab3c0-cd80-7f90-8b2c-3d4e5f607182',
      name: 'Celestial Navigation: For good',
      quantity: 1,
      unit_amount_minor: 240_000,
      amount_minor: 240_000,
      discount_minor: 0,
      tax_minor: 0,
      total_minor: 240_000,
      refunded_quantity: 0,
      granted_id: '019ab3d0-8f80-7a11-8b22-3c33d44e5500',
      taken_back: false,
    },
  ],
  refunds: [
    {
      id: '019ab3d0-9a90-7b22-8c33-4d44e55f6600',
      amount_minor: 24_000,
      line_items: [],
      reason: 'Early bird price',
      refunded_at: '2026-11-21T08:00:00.000Z',
    },
  ],
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-21T08:00:00.000Z',
} as const;

const position = z.int().min(1).meta({ description: 'Place of the line in the order, from 1' });

const line = z.object({
  position,
  item_type: z.enum(ORDER_ITEM_TYPES),
  item_id: z.uuid().meta({
    description: 'The course plan, price of a membership plan, ticket, digital product or consulting service',
  }),
  name: z.string().meta({ description: 'Name at the time of the sale' }),
  quantity: z.int().min(0),
  unit_amount_minor: amount,
  amount_minor: amount.meta({ description: '`unit_amount_minor` times `quantity`' }),
  discount_minor: amount,
  tax_minor: amount,
  total_minor: amount.meta({ description: 'Price of the line: with its discount and its tax' }),
  refunded_quantity: z.int().min(0),
  granted_id: z.uuid().nullable().meta({
    description:
      'The grant of access, subscription, registration or purchase that the line gave; null until it is paid',
  }),
  taken_back: z.boolean().meta({ description: 'true: a refund ended what the line gave' }),
});

const refund = z.object({
  id: z.uuid(),
  amount_minor: amount,
  line_items: z.array(z.object({ position, quantity: z.int().min(0), amount_minor: amount })),
  reason: z.string().nullable(),
  refunded_at: instantOut,
});

const source = multiline(40).meta({ description: 'Program or channel of the sale' });

export const order = resource('Order', {
  one: 'order',
  fields: {
    number: readOnly(z.string().meta({ description: 'Number of the order, unique at the site' })),
    state: readOnly(z.enum(ORDER_STATES)),
    student_id: readOnly(z.uuid().meta({ description: 'The student who bought' })),
    buyer_name: readOnly(z.string().meta({ description: 'Current name of the student' })),
    buyer_email: readOnly(z.string().meta({ description: 'Current e-mail address of the student' })),
    currency: readOnly(z.string().meta({ description: 'ISO 4217. All amounts of the order are in this currency' })),
    subtotal_minor: readOnly(amount.meta({ description: 'Sum of the lines in minor units, before discount and tax' })),
    discount_minor: readOnly(amount),
    tax_minor: readOnly(amount),
    tax_included: readOnly(z.boolean().meta({ description: 'true: the amounts of the lines include the tax' })),
    total_minor: readOnly(amount.meta({ description: 'Price of the order in minor units' })),
    refunded_minor: readOnly(amount.meta({ description: 'Sum of the refunds in minor units' })),
    coupon_code: readOnly(z.string().nullable()),
    payment_method: readOnly(z.string().nullable().meta({ description: 'As the program of the sale names it' })),
    source: readOnly(source),
    subscription_id: readOnly(
      z.uuid().nullable().meta({ description: 'The subscription that the order renews; null: no renewal' }),
    ),
    item_types: readOnly(z.array(z.enum(ORDER_ITEM_TYPES)).meta({ description: 'The types of the lines' })),
    paid_at: readOnly(instantOut.nullable()),
    payment_refusal: readOnly(
      z
        .string()
        .nullable()
        .meta({
          description:
            'Why the last payment of the pending order could not give what it sold; null: none was refused. The buyer may ' +
            'have paid: the program of the sale refunds the money and records the order as failed, or repeats the payment.',
        }),
    ),
    refunded_at: readOnly(instantOut.nullable().meta({ description: 'When the last refund took place' })),
    line_items: readOnly(z.array(line)),
    refunds: readOnly(z.array(refund)),
  },
  details: ['line_items', 'refunds', 'payment_refusal'],
  sorts: ['-created_at', '-updated_at', '-paid_at'],
  ranges: ['created_at', 'updated_at', 'paid_at'],
  filters: {
    state: z.enum(ORDER_STATES).meta({ description: 'Only orders in this state' }),
    student_id: idIn.meta({ description: 'Only orders of this student' }),
    number: externalId.meta({ description: 'Exactly this number' }),
    source: source.meta({ description: 'Only orders from this source' }),
    currency: currency.meta({ description: 'Only orders in this currency' }),
    item_type: z.enum(ORDER_ITEM_TYPES).meta({ description: 'Only orders with a line of this type' }),
  },
  examples: { object: EXAMPLE },
});
export type OrderListQuery = ListQueryOf<typeof order>;
