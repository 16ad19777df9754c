import { eventually } from '@lyceum/testing';
import { send } from '../clients/http.js';
import { api, ownerToken, read, studentOf } from './demo-school.js';

/** Orders of the demo, those paid last first. Other tests sell at the site too. */
async function demoOrders<Order extends { readonly number: string }>(): Promise<Order[]> {
  const orders = await read<Order>('/orders?sort=-paid_at&limit=100');
  return orders.filter(({ number }) => number.startsWith('harbour-'));
}

it('records the orders and refunds of its checkout', async () => {
  const orders = await demoOrders<{ number: string; state: string; refunded_minor: number }>();
  expect(orders.map(({ number, state, refunded_minor }) => [number, state, refunded_minor])).toEqual([
    ['harbour-1009', 'paid', 0],
    ['harbour-1008', 'paid', 0],
    ['harbour-1007', 'paid', 0],
    ['harbour-1006', 'paid', 0],
    ['harbour-1003', 'refunded', 300_000],
    ['harbour-1002', 'partially_refunded', 24_000],
    ['harbour-1001', 'paid', 0],
  ]);
  expect(await read('/orders?state=pending')).toMatchObject([
    { number: 'harbour-1005', buyer_name: expect.any(String) },
  ]);
});

it('sells and renews a subscription, redeems a coupon, and sells a ticket and a product', async () => {
  const bought = await demoOrders<{ number: string; subscription_id: string | null; coupon_code: string | null }>();
  const learner = await studentOf('learner-1');
  const [subscription] = await read<{ id: string; state: string }>(`/subscriptions?student_id=${learner?.id}`);
  expect(subscription).toMatchObject({ state: 'active' });
  expect(bought.slice(1, 4).map(({ subscription_id, coupon_code }) => [subscription_id, coupon_code])).toEqual([
    [subscription?.id, null],
    [null, null],
    [null, 'WELCOME10'],
  ]);
  const [coupon] = await read<object>('/coupons?external_id=coupon-welcome');
  expect(coupon).toMatchObject({ redeemed_count: 1 });
  const [product] = await read<object>('/digital_products?external_id=workbook');
  expect(product).toMatchObject({ sold_count: 1 });
  const [event] = await read<{ id: string }>('/events?external_id=open-evening');
  const registrations = await read<{ source: string }>(`/events/${event?.id}/registrations`);
  expect(registrations.map(({ source }) => source).toSorted()).toEqual(['free', 'order']);
});

/** Names the counts of each report that stay above 0 in every 30 days of the demo. */
const COUNTS = {
  sales: ['orders_count', 'refunds_count'],
  funnel: ['enrolled_count'],
  memberships: ['active_count'],
  attendance: ['events_count', 'registered_count', 'attended_count'],
} as const;
type Section = keyof typeof COUNTS;
type Counts = Readonly<Record<string, number | undefined>>;
type Totals = Readonly<Partial<Record<Section, Counts | readonly Counts[]>>>;

const REPORTS: Readonly<Record<string, readonly Section[]>> = {
  overview: ['sales', 'funnel', 'memberships', 'attendance'],
  revenue: ['sales'],
  funnel: ['funnel'],
  memberships: ['memberships'],
  attendance: ['attendance'],
};

/** The counts of the sections in a range; 0 for a section that the range does not have. */
function countsOf(totals: Totals, sections: readonly Section[]): readonly number[] {
  return sections.flatMap((section) => {
    const [counts] = [totals[section] ?? {}].flat();
    return COUNTS[section].map((name) => counts?.[name] ?? 0);
  });
}

it.each(Object.entries(REPORTS))(
  'fills the report %s of analytics for the last 30 days and for the 30 before',
  async (name, sections) => {
    const counts = async (): Promise<readonly number[]> => {
      const url = `${api}/analytics/${name}?compare=previous_period`;
      const { body } = await send<{ totals: Totals; previous: { totals: Totals } }>(url, { token: await ownerToken() });
      return [...countsOf(body.totals, sections), ...countsOf(body.previous.totals, sections)];
    };
    const filled = await eventually(counts, (all) => all.every((one) => one > 0));
    expect(filled).toHaveLength(2 * sections.flatMap((section) => COUNTS[section]).length);
  },
);
