import { commandReplySchema, inboxPrefix, recordOrder } from '@lyceum/contracts';
import { type NatsConnection, connect } from '@nats-io/transport-node';
import pg from 'pg';
import { scaled } from '../arguments.ts';
import { benchSite } from '../bench-stack.ts';
import { onDatabase } from '../data/database.ts';
import type { OrderGoods } from '../data/order-goods.ts';
import { type PlannedOrder, recordByHand } from '../data/order-by-hand.ts';
import { ratioOfMedians } from '../in-turn.ts';
import type { Bench, Quantity } from '../suite.ts';

/** Turns of each side that are measured. `ratioOfMedians` warms up with a fifth of them. */
const TURNS = 200;
const WARM_UP = 0.2;
/** Orders that a turn records at the same time. */
const AT_ONCE = 8;
/** The size of the service's connection pool. */
const POOL_SIZE = 10;
const AMOUNT_MINOR = 150_000;
const USER = 'storefront';
const reply = commandReplySchema(recordOrder.output);

export function recordedOrders(wanted: Bench['arguments']): number {
  const turns = scaled(wanted, TURNS);
  return (turns + Math.floor(turns * WARM_UP)) * AT_ONCE;
}

/**
 * The time in which the service records orders ÷ the time in which the same statements run by hand, without a service.
 * Each order is one transaction, and some run at the same time.
 *
 * @param byHand URL of a copy of the school database
 */
export async function orderRecords(bench: Bench, goods: OrderGoods, byHand: string): Promise<Quantity> {
  const { stack, step, hold } = bench;
  const { site_id, org_id } = benchSite(stack);
  const connection = await connect({
    servers: stack.nats.url,
    user: stack.nats.userName(USER),
    pass: stack.nats.userPassword(USER),
    inboxPrefix: inboxPrefix(USER),
  });
  const pool = new pg.Pool({ connectionString: byHand, max: POOL_SIZE });
  const orderOf = (turn: number, place: number): PlannedOrder => {
    const n = turn * AT_ONCE + place;
    return {
      site_id,
      number: `bench-${n}`,
      key: `bench-order-${n}`,
      student_id: goods.student_ids[n]!,
      plan_id: goods.plan_ids[n % goods.plan_ids.length]!,
      amount_minor: AMOUNT_MINOR,
      paid_at: new Date(Date.now() - 1_000).toISOString(),
    };
  };
  const turnOf = (record: (order: PlannedOrder) => Promise<unknown>) => (turn: number) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, place) => record(orderOf(turn, place))));
  const turns = scaled(bench.arguments, TURNS);
  const recorded = recordedOrders(bench.arguments);
  hold({ 'orders recorded at each side': recorded });
  try {
    const ratio = await step(`record ${recorded} orders by the service and by hand in turn`, () =>
      ratioOfMedians(turns, [
        turnOf((order) => send(connection, org_id, order)),
        turnOf((one) => recordByHand(pool, one)),
      ]),
    );
    const [ours, theirs] = [await writtenBy(stack.databaseUrl('school')), await writtenBy(byHand)];
    if (JSON.stringify(ours) !== JSON.stringify(theirs) || ours['orders'] !== recorded)
      throw new Error(`Both sides write other rows: ${JSON.stringify([ours, theirs])}`);
    return {
      suite: 'orders',
      title: `time of ${AT_ONCE} orders that are recorded at once ÷ the same statements by hand`,
      unit: '×',
      // 0.5 of the orders in the same time.
      goal: 2,
      measure: () => Promise.resolve(ratio),
    };
  } finally {
    await connection.close();
    await pool.end();
  }
}

async function send(connection: NatsConnection, site: string, order: PlannedOrder): Promise<void> {
  const { number, key: idempotency_key, student_id, plan_id, amount_minor, paid_at } = order;
  const line = { item_type: 'course_plan', item: { id: plan_id }, name: 'A course', unit_amount_minor: amount_minor };
  const command = {
    idempotency_key,
    site,
    number,
    state: 'paid',
    student: { id: student_id },
    currency: 'TWD',
    line_items: [line],
    subtotal_minor: amount_minor,
    total_minor: amount_minor,
    paid_at,
  };
  const message = await connection.request(recordOrder.subject, JSON.stringify(command), { timeout: 30_000 });
  const ended = reply.parse(message.json());
  if (!ended.ok) throw new Error(JSON.stringify(ended.error));
}

/** The rows of both sides. The service deletes rows of its outbox when it has published them. */
async function writtenBy(databaseUrl: string): Promise<Readonly<Record<string, number>>> {
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<Record<string, number>>(
      `WITH recorded AS (SELECT site_id, id, student_id FROM orders WHERE number LIKE 'bench-%')
       SELECT count(*)::int AS orders, sum(s.enrollments_count)::int AS enrollments_count,
              (SELECT count(*) FROM order_lines l JOIN recorded r ON r.id = l.order_id
                 JOIN access_grants g ON g.id = l.granted_id AND g.source_id = r.id)::int AS granted,
              (SELECT count(*) FROM activity WHERE client_id = 'storefront')::int AS activity,
              (SELECT sum(enrollments_count) FROM courses WHERE slug LIKE 'sold-%')::int AS of_courses
         FROM recorded JOIN students s ON s.site_id = recorded.site_id AND s.id = recorded.student_id`,
    );
    return rows[0]!;
  });
}
