import { withDatabase } from './database.js';
import { TestEvent } from './new-events.js';
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
