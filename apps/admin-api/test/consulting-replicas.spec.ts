import { BookingService } from '#src/consulting-bookings/booking.service.js';
import type { BookingEdge } from '#src/consulting-bookings/booking.service.js';
import { Consulting } from './consulting.js';
import { withDatabase } from './database.js';
import { Replicas } from './replicas.js';
import type { WorkOf } from './replicas.js';

const EDGE: BookingEdge = {
  by: 'operator',
  purchase: '/purchase_id',
  slot: '/to_slot_id',
  unknown: 'validation_failed',
};
const CROWD = 200;

let replicas: Replicas;
beforeAll(async () => {
  replicas = await Replicas.open();
});
afterAll(() => replicas.api.stop());

const site = () => ({ site_id: replicas.api.sites[0].site_id });
const atOnce = (works: readonly WorkOf<BookingService>[]) => replicas.atOnce(BookingService, works);

const booking =
  (slot_id: string, id: string): WorkOf<BookingService> =>
  async (bookings, tx) =>
    (await bookings.book(site(), { slot_id, purchase: { id } }, tx, EDGE)).row.state;

/** Counts the scheduled bookings of slots in the rows. */
async function bookedIn(...slots: readonly string[]): Promise<readonly number[]> {
  return withDatabase(replicas.api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ booked: number }>(
      `select count(b.id)::int as booked
       from unnest($1::uuid[]) with ordinality slot (id, place)
       left join consulting_bookings b on b.slot_id = slot.id and b.state = 'scheduled'
       group by slot.place order by slot.place`,
      [slots],
    );
    return rows.map(({ booked }) => booked);
  });
}

/** Sums the sessions that the purchases of a service have used. */
async function used({ service_id }: Consulting): Promise<number> {
  return withDatabase(replicas.api.databaseUrl, async (client) => {
    const text = 'select sum(sessions_used)::int as used from consulting_purchases where consulting_service_id = $1';
    return (await client.query<{ used: number }>(text, [service_id])).rows[0]?.used ?? 0;
  });
}

it.each([1, 50])('books the %i places of a slot for two hundred purchases at two replicas', async (capacity) => {
  const consulting = await Consulting.open(replicas.api);
  const { id: slot } = await consulting.slot(100, { capacity });
  const purchases = await consulting.purchases(CROWD);
  expect(await atOnce(purchases.map((id) => booking(slot, id)))).toEqual({
    scheduled: capacity,
    invalid_state: CROWD - capacity,
  });
  expect(await consulting.readSlot(slot)).toMatchObject({ capacity, booked_count: capacity });
  expect([await bookedIn(slot), await used(consulting)]).toEqual([[capacity], capacity]);
});

it('books one place for a purchase that asks two replicas two hundred times', async () => {
  const consulting = await Consulting.open(replicas.api);
  const { id: slot } = await consulting.slot(100, { capacity: CROWD });
  const [id = ''] = await consulting.purchases(1);
  const outcomes = await atOnce(Array.from({ length: CROWD }, () => booking(slot, id)));
  expect(outcomes).toEqual({ scheduled: 1, invalid_state: CROWD - 1 });
  expect([await bookedIn(slot), await used(consulting)]).toEqual([[1], 1]);
});

it('keeps both capacities while two replicas book, move and cancel two hundred times', async () => {
  const consulting = await Consulting.open(replicas.api);
  const [from, to] = [await consulting.slot(100, { capacity: 60 }), await consulting.slot(102, { capacity: 20 })];
  const [held, waiting] = [await consulting.purchases(60), await consulting.purchases(80)];
  expect(await atOnce(held.map((id) => booking(from.id, id)))).toEqual({ scheduled: 60 });
  const ids = await withDatabase(replicas.api.databaseUrl, async (client) => {
    const text = 'select id from consulting_bookings where slot_id = $1';
    return (await client.query<{ id: string }>(text, [from.id])).rows.map(({ id }) => id);
  });
  const of = (id: string) => ({ id, slot_id: from.id });
  const moves = ids.map((id): WorkOf<BookingService> => async (bookings, tx) => {
    await bookings.move(site(), of(id), { slot_id: to.id }, tx, EDGE);
    return 'moved';
  });
  const cancellations = ids.map((id): WorkOf<BookingService> => async (bookings, tx) => {
    return (await bookings.cancel(site(), of(id), tx, EDGE)).row.state;
  });
  const bookings = waiting.map((id) => booking(from.id, id));
  const { moved = 0, canceled = 0, scheduled = 0 } = await atOnce([...moves, ...bookings, ...cancellations]);
  // A booking that has moved is not found in its first slot, and a canceled one does not move.
  expect(moved + canceled).toBe(60);
  const booked = await bookedIn(from.id, to.id);
  expect(booked).toEqual([scheduled, moved]);
  for (const [index, { id, capacity }] of [from, to].entries()) {
    expect(booked[index]).toBeLessThanOrEqual(Number(capacity));
    expect(await consulting.readSlot(id)).toMatchObject({ booked_count: booked[index] });
  }
});
