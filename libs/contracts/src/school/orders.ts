import { z } from 'zod';
import { defineCommand } from '../platform/command.js';
import { defineEntityEvents } from '../platform/event.js';
import { instantSchema } from '../platform/instant.js';
import { externalId, idIn, lineOf, occurredAt, referenceSchema, studentReferenceSchema } from './command-values.js';

export const ORDER_ITEM_TYPES = [
  'course_plan',
  'membership_plan',
  'ticket',
  'digital_product',
  'consulting_sessions',
] as const;
export type OrderItemType = (typeof ORDER_ITEM_TYPES)[number];

/** States in which an order is recorded. A refund leads to the others. */
export const RECORDED_ORDER_STATES = ['pending', 'paid', 'failed', 'expired'] as const;
export const ORDER_STATES = [...RECORDED_ORDER_STATES, 'partially_refunded', 'refunded'] as const;

export const ORDER_LIMITS = { lines: 100, quantity: 1_000 } as const;

/** Minor units of the currency of the order, which JSON represents exactly. */
const amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const quantity = z.int().min(1).max(ORDER_LIMITS.quantity);
const position = z.int().min(1).max(ORDER_LIMITS.lines);

const orderLineSchema = z.strictObject({
  item_type: z.enum(ORDER_ITEM_TYPES),
  /**
   * A course plan, the price of a membership plan, a ticket, a digital product, or a consulting service. An order has
   * one line for each item.
   */
  item: referenceSchema,
  /** Name at the time of the sale. */
  name: lineOf(200),
  quantity: quantity.default(1),
  unit_amount_minor: amount,
  /** Discount of the whole line. */
  discount_minor: amount.default(0),
  /** Tax of the whole line. */
  tax_minor: amount.default(0),
});

/** A line of an order after the command. */
const recordedLine = z.object({
  /** From 1, in the order of the command. */
  position,
  item_type: z.enum(ORDER_ITEM_TYPES),
  item_id: z.uuid(),
  /** Id of the grant, subscription, registration or purchase that the line gave. Null: none. */
  granted_id: z.uuid().nullable(),
});

/** Records an order of a student, or moves a pending one. A paid order gives the student what it sold. */
export const recordOrder = defineCommand({
  service: 'admin-api',
  name: 'school.order.record.v1',
  input: {
    /** Unique at the site. A second record with the number moves the order, or repeats the first record. */
    number: externalId,
    state: z.enum(RECORDED_ORDER_STATES),
    student: studentReferenceSchema,
    /** ISO 4217. */
    currency: z.string().regex(/^[A-Z]{3}$/, 'Three capital letters, such as TWD'),
    line_items: z.array(orderLineSchema).min(1).max(ORDER_LIMITS.lines),
    coupon_code: lineOf(100).nullable().default(null),
    /** Sum of `unit_amount_minor` times `quantity`. */
    subtotal_minor: amount,
    /** Sum of the discounts of the lines. */
    discount_minor: amount.default(0),
    /** Sum of the taxes of the lines. */
    tax_minor: amount.default(0),
    /** True when the amounts of the lines include the tax. */
    tax_included: z.boolean().default(false),
    /** Subtotal less discount, and with the tax unless it is included. */
    total_minor: amount,
    payment_method: lineOf(100).nullable().default(null),
    /** Set for a paid order. */
    paid_at: occurredAt.nullable().default(null),
    /** Program or channel of the sale. */
    source: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, '1 to 40 lower-case letters, digits, - and _')
      .default('storefront'),
    /** The subscription that the order renews. Null: the order is no renewal. */
    subscription_id: idIn.nullable().default(null),
  },
  output: z.object({
    order_id: z.uuid(),
    number: z.string(),
    state: z.enum(ORDER_STATES),
    total_minor: amount,
    refunded_minor: amount,
    line_items: z.array(recordedLine),
  }),
});

/** Records a refund of a paid order. Needs an amount, lines, or both. */
export const refundOrder = defineCommand({
  service: 'admin-api',
  name: 'school.order.refund.v1',
  input: {
    order: z.union([z.strictObject({ id: idIn }), z.strictObject({ number: externalId })]),
    /** Money that goes back. Default: the value of the lines. */
    amount_minor: amount.optional(),
    /** Lines that go back. A whole line loses what it gave; units of consulting sessions lose the unused ones. */
    line_items: z.array(z.strictObject({ position, quantity })).min(1).max(ORDER_LIMITS.lines).optional(),
    refunded_at: occurredAt,
    reason: lineOf(500).nullable().default(null),
  },
  output: z.object({
    order_id: z.uuid(),
    number: z.string(),
    state: z.enum(ORDER_STATES),
    refund_id: z.uuid(),
    /** Amount of this refund. */
    amount_minor: amount,
    /** Sum of all refunds of the order. */
    refunded_minor: amount,
    /** Positions of the lines whose access, sessions or the like ended with this refund. */
    taken_back: z.array(position),
  }),
});

/** An order, without its lines. The activity log reads these events. */
export const orderEvents = defineEntityEvents({
  context: 'school',
  entity: 'order',
  version: 1,
  names: ['recorded', 'paid', 'failed', 'expired', 'refunded', 'republished'],
  data: z.object({
    order_id: z.uuid(),
    site_id: z.uuid(),
    student_id: z.uuid(),
    number: z.string(),
    state: z.enum(ORDER_STATES),
    currency: z.string(),
    total_minor: amount,
    refunded_minor: amount,
    paid_at: instantSchema.nullable(),
  }),
});
