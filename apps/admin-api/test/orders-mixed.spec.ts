import { withDatabase } from './database.js';
import { TestEvent } from './new-events.js';
import { publishedProduct } from './new-product.js';
import { Shop } from './shop.js';

const shop = Shop.ofFile();
const { checkout } = shop;

it('names the one ticket of three that is sold out, and gives nothing of the order', async () => {
  const [first, full, product, last] = [
    await shop.seat(),
    await shop.seat({ capacity: 1 }),
    await shop.product(),
    await shop.seat(),
  ];
  await shop.sell(await checkout.newStudent(), [full.line]);
  const lines = [first, full, product, last].map(({ line }) => line);
  expect(await checkout.refused(checkout.order(await checkout.newStudent(), lines))).toEqual({
    code: 'invalid_state',
    pointers: ['/line_items/1/item'],
  });
  expect([await first.event.read(), await full.event.read(), await last.event.read()]).toMatchObject([
    { registrations_count: 0 },
    { registrations_count: 1 },
    { registrations_count: 0 },
  ]);
  expect(await shop.read(product.path)).toMatchObject({ sold_count: 0 });
});

it('gives a place of the waiting list, keeps an active purchase, expires an old one, and makes the others', async () => {
  const event = await TestEvent.open(shop.api, { waitlist: true });
  const [full, open, other] = [await shop.seat({ capacity: 1 }, event), await shop.seat({}, event), await shop.seat()];
  const [held, old, fresh] = [await shop.product(), await shop.product(), await shop.product()];
  const [guest, buyer] = [await checkout.newStudent(), await checkout.newStudent()];
  await event.registered(guest, { ticket_id: full.id });
  const waiting = await event.registered(buyer, { ticket_id: full.id });
  const [ofHeld, ofOld] = (await shop.sell(buyer, [held.line, old.line])).line_items.map((line) => line.granted_id);
  await withDatabase(shop.api.databaseUrl, (client) =>
    client.query(`update digital_product_grants set expires_at = now() - interval '1 minute' where id = $1`, [ofOld]),
  );
  const lines = [open, held, other, old, fresh].map(({ line }) => line);
  const { order_id, line_items } = await shop.sell(buyer, lines);
  const [seat, again, , renewed, bought] = line_items.map(({ granted_id }) => granted_id);
  expect([seat, again]).toEqual([waiting.id, ofHeld]);
  expect(new Set([seat, ofHeld, ofOld, renewed, bought]).size).toBe(5);
  const purchase = (path: string, id: unknown) => shop.read(`${path}/purchases/${String(id)}`);
  expect(await purchase(old.path, ofOld)).toMatchObject({ state: 'expired' });
  expect(await event.states()).toEqual(['registered', 'registered']);
  expect(await event.readTicket(open.id)).toMatchObject({ sold_count: 1 });
  expect([await shop.read(held.path), await shop.read(old.path), await shop.read(fresh.path)]).toMatchObject([
    { sold_count: 2 },
    { sold_count: 2 },
    { sold_count: 1 },
  ]);
  await checkout.refund(order_id, { amount_minor: 5000 });
  expect(await purchase(held.path, ofHeld)).toMatchObject({ state: 'active' });
  expect(await purchase(old.path, renewed)).toMatchObject({ state: 'revoked' });
  expect(await purchase(fresh.path, bought)).toMatchObject({ state: 'revoked' });
  expect(await other.event.read()).toMatchObject({ registrations_count: 0 });
});

it('counts the days and months of access on the calendar of the time zone, from the time of the payment', async () => {
  const timezone = 'Europe/Berlin';
  await shop.api.send('PATCH', '/api/v1/school', { body: { timezone } });
  const student_id = await checkout.newStudent();
  const monthly = { plan_type: 'subscription', interval: 'month', interval_count: 1 };
  const plan = await checkout.newPlan(monthly);
  const product = await publishedProduct(shop.api, { access_days: 31 });
  const price = { amount_minor: 1000, currency: 'TWD' };
  const service = await checkout.newService({ timezone, price, validity_days: 31 });
  const lines = [
    { item_type: 'consulting_sessions', item: { id: service.service_id } },
    { item_type: 'course_plan', item: { id: plan.id } },
    { item_type: 'digital_product', item: { id: product.id } },
  ];
  // March 1 in Berlin, which changes its clocks on March 29.
  const { line_items } = await shop.sell(student_id, lines, { paid_at: '2026-02-28T23:30:00.000Z' });
  const [sessions, , download] = line_items.map(({ granted_id }) => String(granted_id));
  const expires_at = '2026-03-31T22:30:00.000Z';
  expect(await service.readPurchase(sessions ?? '')).toMatchObject({ expires_at });
  expect(await checkout.enrollmentOf(student_id, plan.course_id)).toMatchObject({ expires_at });
  const path = `/api/v1/digital_products/${product.id}/purchases/${download ?? ''}`;
  expect(await shop.read(path)).toMatchObject({ expires_at });
});

it('shows when its last refund took place, also after an earlier one that is recorded late', async () => {
  const { order_id } = await shop.sell(await checkout.newStudent(), [(await shop.product()).line]);
  for (const day of ['03', '05', '04'])
    await checkout.refund(order_id, { amount_minor: 10, refunded_at: `2026-10-${day}T08:00:00.000Z` });
  expect(await checkout.read(order_id)).toMatchObject({ refunded_at: '2026-10-05T08:00:00.000Z', refunded_minor: 30 });
});

it('refuses the refund of a unit whose session is booked, so that no cancellation gives it back', async () => {
  const service = await checkout.newService({ sessions_included: 1 });
  const line = { item_type: 'consulting_sessions', item: { id: service.service_id }, quantity: 2 };
  const { order_id, line_items } = await checkout.record(checkout.order(await checkout.newStudent(), [line]));
  const purchase_id = String(line_items[0]?.granted_id);
  const slots = [await service.slot(100), await service.slot(200)];
  const bookings: string[] = [];
  for (const { id } of slots) bookings.push(await service.booked(id, purchase_id));
  const unit = { line_items: [{ position: 1, quantity: 1 }] };
  expect(await checkout.refusedRefund(order_id, unit)).toMatchObject({ code: 'resource_in_use' });
  await service.act(slots[0]!.id, bookings[0]!, 'cancel');
  expect(await checkout.refund(order_id, unit)).toMatchObject({ state: 'partially_refunded' });
  expect(await service.readPurchase(purchase_id)).toMatchObject({ sessions_total: 1, sessions_used: 1 });
});
