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
  expect(bought.slice(0, 3).map(({ subscription_id, coupon_code }) => [subscription_id, coupon_code])).toEqual([
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

interface Overview {
  readonly totals: {
    readonly sales: readonly { readonly orders_count: number; readonly refunds_count: number }[];
    readonly funnel: { readonly enrolled_count: number; readonly started_count: number };
    readonly memberships: { readonly active_count: number };
    readonly attendance: { readonly registered_count: number };
  };
}

it('fills the reports of analytics', async () => {
  const totals = async (range = ''): Promise<Overview['totals']> =>
    (await send<Overview>(`${api}/analytics/overview${range}`, { token: await ownerToken() })).body.totals;
  const counts = async (): Promise<readonly number[]> => {
    const { funnel, memberships } = await totals();
    const { sales } = await totals('?from=2026-09-01&to=2026-10-31');
    const { attendance } = await totals('?from=2031-05-01&to=2031-05-31');
    const sold = [sales[0]?.orders_count ?? 0, sales[0]?.refunds_count ?? 0];
    const learned = [funnel.enrolled_count, funnel.started_count, memberships.active_count];
    return [...sold, ...learned, attendance.registered_count];
  };
  const filled = await eventually(counts, (figures) => figures.every((figure) => figure > 0));
  expect(filled).toHaveLength(6);
});
