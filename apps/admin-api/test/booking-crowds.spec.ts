import { randomUUID } from 'node:crypto';
import { cancelBooking, commandReplySchema, makeBooking } from '@lyceum/contracts';
import type { CommandDefinition } from '@lyceum/contracts';
import { Checkout } from './checkout.js';
import { Consulting } from './consulting.js';
import { counted, crowd, deadlocks, repeated } from './crowd.js';
import type { Attempt } from './crowd.js';
import { withDatabase } from './database.js';
import { newStudents } from './new-events.js';

const CROWD = 200;
const HALF = CROWD / 2;

interface Bought {
  readonly id: string;
  readonly student_id: string;
}

const checkout = Checkout.ofFile();

/** A command of the storefront with one key, however often it is sent. */
function attempt(definition: CommandDefinition, content: object): Attempt {
  const command = { idempotency_key: randomUUID(), site: checkout.api.sites[0].org_id, ...content };
  return async () => {
    const reply = commandReplySchema(definition.output).parse(await checkout.send(definition.subject, command));
    return reply.ok ? 'done' : reply.error.code;
  };
}

const book = (slot: string, { id, student_id }: Bought): Attempt =>
  attempt(makeBooking, { student: { id: student_id }, purchase: { id }, slot: { id: slot } });

async function query<Row extends object>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return withDatabase(checkout.api.databaseUrl, async (client) => (await client.query<Row>(text, [...values])).rows);
}

/** Purchases of as many students. */
async function purchases(consulting: Consulting, count: number, sessions = 3): Promise<readonly Bought[]> {
  const ids = await consulting.purchases(count, sessions);
  return query('select id, student_id from consulting_purchases where id = any($1) order by id', [ids]);
}

/** The sessions that purchases have used and the bookings that a slot has, counted in the rows. */
async function takenOf(consulting: Consulting, slot: string) {
  const [row] = await query<Record<'booked' | 'students' | 'used', number>>(
    `select count(*) filter (where b.slot_id = $1)::int as booked,
       count(distinct b.student_id) filter (where b.slot_id = $1)::int as students,
       (select sum(p.sessions_used)::int from consulting_purchases p where p.consulting_service_id = $2) as used
     from consulting_bookings b where b.state = 'scheduled'`,
    [slot, consulting.service_id],
  );
  const { booked_count } = await consulting.readSlot(slot);
  return { ...row, booked_count };
}
const taken = (count: number) => ({ booked: count, students: count, used: count, booked_count: count });

it.each([1, 3])('books the last %i places of a slot for as many of two hundred students', async (capacity) => {
  const consulting = await Consulting.open(checkout.api);
  const { id: slot } = await consulting.slot(100, { capacity });
  const outcomes = await crowd((await purchases(consulting, CROWD)).map((one) => book(slot, one)));
  expect(counted(outcomes)).toEqual({ done: capacity, invalid_state: CROWD - capacity });
  expect(await takenOf(consulting, slot)).toEqual(taken(capacity));
});

it('books once for a key that comes two hundred times', async () => {
  const consulting = await Consulting.open(checkout.api);
  const { id: slot } = await consulting.slot(100, { capacity: CROWD });
  const [one] = await purchases(consulting, 1);
  const outcomes = await crowd(repeated(book(slot, one ?? { id: '', student_id: '' }), CROWD));
  const { done = 0, ...others } = counted(outcomes);
  // A command whose key is in use at that moment is refused.
  expect(others).toEqual(done === CROWD ? {} : { idempotency_in_progress: CROWD - done });
  expect(done).toBeGreaterThan(0);
  expect(await takenOf(consulting, slot)).toEqual(taken(1));
});

it('uses the last session of a purchase in one of two hundred bookings of two slots', async () => {
  const consulting = await Consulting.open(checkout.api);
  const slots = [await consulting.slot(100, { capacity: CROWD }), await consulting.slot(102, { capacity: CROWD })];
  const [one] = await purchases(consulting, 1, 1);
  const commands = repeated(slots, HALF).flatMap((both) =>
    both.map(({ id }) => book(id, one ?? { id: '', student_id: '' })),
  );
  expect(counted(await crowd(commands))).toEqual({ done: 1, invalid_state: CROWD - 1 });
  expect(await consulting.readPurchase(one?.id ?? '')).toMatchObject({ sessions_used: 1, sessions_remaining: 0 });
  const booked = await Promise.all(slots.map(async ({ id }) => (await takenOf(consulting, id)).booked));
  expect(booked.toSorted((a = 0, b = 0) => a - b)).toEqual([0, 1]);
});

it('gives the places of a full slot to others while a hundred students cancel', async () => {
  const consulting = await Consulting.open(checkout.api);
  const { id: slot } = await consulting.slot(100, { capacity: HALF });
  const [first, waiting] = [await purchases(consulting, HALF), await purchases(consulting, HALF)];
  expect(counted(await crowd(first.map((one) => book(slot, one))))).toEqual({ done: HALF });
  const bookings = await query<Bought>('select id, student_id from consulting_bookings where slot_id = $1', [slot]);
  const cancellations = bookings.map(({ id, student_id }) =>
    attempt(cancelBooking, { student: { id: student_id }, booking: { id } }),
  );
  const commands = waiting.map((one) => book(slot, one));
  const outcomes = await crowd([...cancellations, ...commands]);
  expect(counted(outcomes.slice(0, HALF))).toEqual({ done: HALF });
  const { done = 0, ...refused } = counted(outcomes.slice(HALF));
  expect(refused).toEqual(done === HALF ? {} : { invalid_state: HALF - done });
  expect(await takenOf(consulting, slot)).toEqual(taken(done));
  // All places are free again, so each refused command succeeds when it is sent again.
  await crowd(commands.filter((_send, index) => outcomes[HALF + index] !== 'done'));
  expect(await takenOf(consulting, slot)).toEqual(taken(HALF));
});

it('books or refunds the session of each of a hundred orders, and never both', async () => {
  const consulting = await Consulting.open(checkout.api, { sessions_included: 1 });
  const { id: slot } = await consulting.slot(100, { capacity: HALF });
  const line = { item_type: 'consulting_sessions', item: { id: consulting.service_id } };
  const students = await newStudents(checkout.api, HALF);
  const sold = await Promise.all(
    students.map(async (student_id) => {
      const { order_id, line_items } = await checkout.record(checkout.order(student_id, [line]));
      return { order_id, bought: { id: line_items[0]?.granted_id ?? '', student_id } };
    }),
  );
  const refund = async (order_id: string): Promise<string> =>
    (await checkout.race([() => checkout.refund(order_id, { amount_minor: 1000 })]))[0] ?? '';
  const outcomes = await crowd([
    ...sold.map(
      ({ order_id }) =>
        () =>
          refund(order_id),
    ),
    ...sold.map(({ bought }) => book(slot, bought)),
  ]);
  const [refunds, bookings] = [outcomes.slice(0, HALF), outcomes.slice(HALF)];
  const ways = sold.map((_order, index) => `${refunds[index] ?? ''}, ${bookings[index] ?? ''}`);
  const { 'done, invalid_state': refunded = 0, 'resource_in_use, done': booked = 0, ...others } = counted(ways);
  expect([others, refunded + booked]).toEqual([{}, HALF]);
  expect(await takenOf(consulting, slot)).toEqual(taken(booked));
  const purchased = await query<{ state: string; count: string }>(
    'select state, count(*) from consulting_purchases where consulting_service_id = $1 group by state',
    [consulting.service_id],
  );
  const states = Object.fromEntries(purchased.map(({ state, count }) => [state, Number(count)]));
  expect([states['revoked'] ?? 0, states['active'] ?? 0]).toEqual([refunded, booked]);
});

it('meets no deadlock in any of these crowds', async () => {
  expect(await deadlocks(checkout.api.databaseUrl, 2 * CROWD)).toBe(0);
});
