import { setTimeout as sleep } from 'node:timers/promises';
import { ANY_PARENT } from '@lyceum/collections';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { atSlot } from '#src/consulting-bookings/moved-booking.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { Consulting } from './consulting.js';
import { untilBlocked, withDatabase } from './database.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

/** Sends requests at the same time and returns their statuses. Repeats a request after 503, which changed nothing. */
async function race(requests: readonly (() => Promise<{ readonly status: number }>)[]): Promise<number[]> {
  const settled = async (send: () => Promise<{ readonly status: number }>): Promise<number> => {
    for (;;) {
      const { status } = await send();
      if (status !== 503) return status;
      // The seconds of Retry-After.
      await sleep(1_000);
    }
  };
  return (await Promise.all(requests.map(settled))).toSorted((a, b) => a - b);
}

const repeated = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

it('uses the last session of a purchase once', async () => {
  const consulting = await Consulting.open(api);
  const [id = ''] = await consulting.purchases(1, 1);
  const slots: string[] = [];
  for (let index = 0; index < 10; index++) slots.push((await consulting.slot(100)).id);
  const statuses = await race(slots.map((slot) => () => consulting.book(slot, id)));
  expect(statuses).toEqual([201, ...repeated(409, 9)]);
  expect(await consulting.readPurchase(id)).toMatchObject({ sessions_used: 1, sessions_remaining: 0 });
});

it('moves bookings between two slots in both directions and loses no place', async () => {
  const consulting = await Consulting.open(api);
  const [a, b] = [await consulting.slot(100, { capacity: 6 }), await consulting.slot(101, { capacity: 6 })];
  const booked: { from: string; to: string; id: string }[] = [];
  for (const [index, purchase] of (await consulting.purchases(10)).entries()) {
    const [from, to] = index % 2 === 0 ? [a.id, b.id] : [b.id, a.id];
    booked.push({ from, to, id: await consulting.booked(from, purchase) });
  }
  const statuses = await race(
    booked.map(
      ({ from, to, id }) =>
        () =>
          consulting.act(from, id, 'move', { to_slot_id: to }),
    ),
  );
  expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
  expect(statuses[0]).toBe(200);
  const counts = await Promise.all(
    [a, b].map(async ({ id }) => Number((await consulting.readSlot(id))['booked_count'])),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10);
  for (const { id } of [a, b]) {
    const path = `/api/v1/slots/${id}/bookings?include_total=true`;
    const { body } = await api.send<{ page: { total_count: number } }>('GET', path);
    expect((await consulting.readSlot(id))['booked_count']).toBe(body.page.total_count);
  }
});

it('cancels a slot while another transaction changes a purchase and then its booking', async () => {
  const consulting = await Consulting.open(api);
  const [{ id: slot }, { id: purchase }] = [await consulting.slot(100), await consulting.purchase()];
  const booking = await consulting.booked(slot, purchase);
  const canceled = await withDatabase(api.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('update consulting_purchases set version = version + 1 where id = $1', [purchase]);
    const response = api.send('POST', `${consulting.path}/slots/${slot}/cancel`);
    await untilBlocked(client);
    await client.query('update consulting_bookings set version = version + 1 where id = $1', [booking]);
    await client.query('commit');
    return response;
  });
  expect(canceled.status).toBe(200);
  expect(await consulting.readPurchase(purchase)).toMatchObject({ sessions_used: 0 });
});

it('returns 404 to a purchase of a service whose deletion ends first', async () => {
  const body = { slug: 'deleted', name: 'Deleted', sessions_included: 1, price: { amount_minor: 1, currency: 'TWD' } };
  const service = await api.send('POST', '/api/v1/consulting_services', { body });
  const student = await api.send('POST', '/api/v1/students', { body: { email: 'late@example.com', name: 'Late' } });
  const id = String(service.body['id']);
  await withDatabase(api.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('delete from consulting_services where id = $1', [id]);
    const purchase = api.send('POST', `/api/v1/consulting_services/${id}/purchases`, {
      body: { student_id: student.body['id'], sessions_total: 1 },
    });
    await untilBlocked(client);
    await client.query('commit');
    expect((await purchase).status).toBe(404);
  });
});

it('keeps what the repeated work of a moved booking adds to the outbox, and nothing of the first one', async () => {
  const outbox = api.service.app.get(Outbox, { strict: false });
  await withDatabase(api.databaseUrl, (client) => client.query('create table added (slot_id text)'));
  const slots = ['before', 'after'];
  const find = () => Promise.resolve({ slot_id: slots.shift() ?? '' });
  await outbox.transaction((tx) =>
    atSlot(tx, { slot_id: ANY_PARENT }, find, async (inner, { slot_id }) => {
      await outbox.addRows(inner, {
        name: 'added',
        text: 'insert into added values ($1) returning 1',
        values: [slot_id],
      });
      if (slot_id === 'before') throw new ApiError('not_found', 'The booking was moved');
    }),
  );
  const { rows } = await withDatabase(api.databaseUrl, (client) => client.query('select slot_id from added'));
  expect(rows).toEqual([{ slot_id: 'after' }]);
});
