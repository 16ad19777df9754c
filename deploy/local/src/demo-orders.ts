import type { OrderItemType } from '@lyceum/contracts';
import { type DemoPlan, demoPlans } from './demo-catalog.js';
import type { DemoConsulting } from './demo-consulting.js';
import type { DemoDay } from './demo-day.js';

interface DemoLine {
  readonly item_type: OrderItemType;
  /** `external_id` of the item. A membership plan is bought at its first price. */
  readonly item: string;
  readonly name: string;
  readonly unit_amount_minor: number;
  readonly discount_minor?: number;
}

/** An order of a learner of the demo, as the checkout of the school records it, with ids of the storefront. */
export interface DemoOrder {
  readonly number: string;
  /** `external_id` of the student. */
  readonly student: string;
  readonly state: 'pending' | 'paid' | 'failed';
  readonly line_items: readonly DemoLine[];
  readonly payment_method: string;
  readonly coupon_code?: string;
  /** Number of the order that sold the subscription which this one renews. */
  readonly renews?: string;
  /** Null unless it was paid. */
  readonly paid_at: string | null;
  readonly refund?: DemoRefund;
}

interface DemoRefund {
  /** Without it, all of the order. */
  readonly amount_minor?: number;
  readonly refunded_at: string;
  readonly reason: string;
}

/** The price of a line, with its discount. */
export function lineTotal({ unit_amount_minor, discount_minor = 0 }: DemoLine): number {
  return unit_amount_minor - discount_minor;
}

export function planLine(course: { readonly name: string }, plan: DemoPlan, discount_minor = 0): DemoLine {
  const { external_id: item, name, price } = plan;
  const line = { item_type: 'course_plan', item, name: `${course.name}: ${name}` } as const;
  return { ...line, unit_amount_minor: price.amount_minor, discount_minor };
}

export const FRIENDSHIP = {
  item_type: 'membership_plan',
  item: 'friends',
  name: 'Friends of the school',
  unit_amount_minor: 250_000,
} as const;

interface Course {
  readonly slug: string;
  readonly name: string;
}

interface School {
  readonly courses: readonly [Course, Course];
  readonly consulting: readonly DemoConsulting[];
  readonly day: DemoDay;
}

/**
 * Orders in each state and of each type of item: one with a discount, one with a coupon, one renewal, and two with a
 * refund. The learners have what they paid. The last 30 days and the 30 before have sales and refunds.
 */
export function demoOrders(
  school: string,
  [one, other]: readonly [string, string],
  { courses: [first, second], consulting: [service], day }: School,
): readonly DemoOrder[] {
  const [forGood] = demoPlans(first.slug);
  const [, forYear] = demoPlans(second.slug);
  const order = (count: number, student: string, line_items: readonly DemoLine[]) => ({
    number: `${school}-${1000 + count}`,
    student,
    line_items,
    payment_method: 'card',
  });
  const sessions = service && {
    item_type: 'consulting_sessions' as const,
    item: service.external_id,
    name: service.name,
    unit_amount_minor: 300_000,
  };
  return [
    {
      ...order(1, one, [planLine(first, forGood), planLine(second, forYear, 15_000)]),
      state: 'paid',
      paid_at: day.ago(56, '10:12'),
    },
    {
      ...order(2, other, [planLine(first, forGood)]),
      state: 'paid',
      paid_at: day.ago(52, '20:41'),
      refund: { amount_minor: 24_000, refunded_at: day.ago(48, '09:00'), reason: 'Early bird price' },
    },
    ...(sessions === undefined
      ? []
      : [
          {
            ...order(3, one, [sessions]),
            state: 'paid' as const,
            payment_method: 'bank transfer',
            paid_at: day.ago(46, '08:05'),
            refund: { refunded_at: day.ago(25, '12:30'), reason: 'Bought twice' },
          },
        ]),
    { ...order(4, other, [planLine(second, forYear)]), state: 'failed', paid_at: null },
    {
      ...order(5, other, [planLine(second, forYear)]),
      state: 'pending',
      payment_method: 'bank transfer',
      paid_at: null,
    },
    {
      ...order(6, one, [{ ...FRIENDSHIP, discount_minor: 25_000 }]),
      state: 'paid',
      coupon_code: 'WELCOME10',
      paid_at: day.ago(44, '18:20'),
    },
    {
      ...order(7, other, [
        {
          item_type: 'ticket',
          item: 'open-evening-dinner',
          name: 'Open evening: with dinner',
          unit_amount_minor: 80_000,
        },
        { item_type: 'digital_product', item: 'workbook', name: 'Workbook', unit_amount_minor: 45_000 },
      ]),
      state: 'paid',
      paid_at: day.ago(18, '11:15'),
    },
    {
      ...order(8, one, [FRIENDSHIP]),
      state: 'paid',
      renews: `${school}-1006`,
      paid_at: day.ago(4, '07:00'),
    },
    { ...order(9, other, [planLine(second, forYear)]), state: 'paid', paid_at: day.ago(2, '09:30') },
  ];
}
