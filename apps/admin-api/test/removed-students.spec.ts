import { randomUUID } from 'node:crypto';
import { cancelRegistration, defineForm, makeRegistration, recordOrder, submitForm } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { ConsultingPurchaseService } from '#src/consulting-purchases/consulting-purchase.service.js';
import { SeatingService } from '#src/event-registrations/seating.service.js';
import { TicketSaleService } from '#src/event-registrations/ticket-sale.service.js';
import { SubscriptionService } from '#src/subscriptions/subscription.service.js';
import { withDatabase } from './database.js';
import { at } from './learner.js';
import { unique } from './new-course.js';
import { TestEvent } from './new-events.js';
import { Shop } from './shop.js';
import type { Line } from './shop.js';
import { MONTHLY } from './test-subscriptions.js';

type Body = Record<string, unknown>;
/** Does something once. Returns DONE, or the code of the refusal with the places that it names. */
type Attempt = () => Promise<string>;
/** Prepares an attempt of a student who is still active. */
type Prepare = (student_id: string) => Promise<Attempt>;

interface Refusal {
  readonly code: string;
  readonly errors?: readonly { readonly pointer?: string }[];
}

const DONE = 'done';
const TABLES = [
  'consulting_purchases',
  'digital_product_grants',
  'enrollments',
  'event_registrations',
  'form_submissions',
  'orders',
  'subscriptions',
];

const shop = Shop.ofFile();

const codeOf = ({ code, errors = [] }: Refusal): string => [code, ...errors.map(({ pointer }) => pointer)].join(' ');

async function command({ subject }: { readonly subject: string }, content: Body): Promise<string> {
  const sender = { idempotency_key: randomUUID(), site: shop.api.sites[0].org_id };
  const reply = (await shop.checkout.send(subject, { ...sender, ...content })) as { readonly error?: Refusal };
  return reply.error === undefined ? DONE : codeOf(reply.error);
}

const get = <T>(type: abstract new (...parameters: never[]) => T): T =>
  shop.api.service.app.get<T, T>(type, { strict: false });

const post = (path: string, body: Body): Promise<string> => write('POST', path, body);
const patch = (path: string, body: Body): Promise<string> => write('PATCH', path, body);

async function write(method: 'PATCH' | 'POST', path: string, body: Body): Promise<string> {
  const response = await shop.api.send<Body & Refusal>(method, path, { body });
  if (response.status < 300) return DONE;
  expect(response.status).toBe(409);
  return codeOf(response.body);
}

const query = (text: string, student_id: string): Promise<object[]> =>
  withDatabase(shop.api.databaseUrl, async (client) => (await client.query<object>(text, [student_id])).rows);

const remove = (student_id: string) => query(`update students set state = 'removed' where id = $1`, student_id);

async function restore(student_id: string): Promise<void> {
  const { status } = await shop.api.send('POST', `/api/v1/students/${student_id}/restore`, { body: {} });
  expect(status).toBe(200);
}

/** All rows of a student. The order of a refused payment shows the refusal, which changes its version. */
const rowsOf = (student_id: string): Promise<object[][]> =>
  Promise.all(
    TABLES.map((table) => {
      const row = `to_jsonb(t) - array['payment_refusal', 'version', 'updated_at'] as row`;
      return query(`select ${row} from ${table} t where student_id = $1 order by id`, student_id);
    }),
  );

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

const newService = () => shop.checkout.newService();

async function newPurchase(student_id: string, body: Body): Promise<string> {
  const { path } = await newService();
  const made = await shop.api.send('POST', `${path}/purchases`, { body: { student_id, ...body } });
  expect(made.status).toBe(201);
  return `${path}/purchases/${String(made.body['id'])}`;
}

const NEW_LINES: Readonly<Record<string, () => Promise<Line>>> = {
  course_plan: async () => (await shop.coursePlan()).line,
  consulting_sessions: async () => ({
    item_type: 'consulting_sessions',
    item: { id: (await newService()).service_id },
  }),
  digital_product: async () => (await shop.product()).line,
  membership_plan: async () => (await shop.membership()).line,
  ticket: async () => (await shop.seat()).line,
};

const ORDERS = Object.entries(NEW_LINES).flatMap(([item_type, newLine]): [string, Prepare][] => [
  [
    `pays an order of a ${item_type}`,
    async (student_id) => {
      const order = shop.checkout.order(student_id, [await newLine()]);
      return () => command(recordOrder, order);
    },
  ],
  [
    `pays a pending order of a ${item_type}`,
    async (student_id) => {
      const order = shop.checkout.order(student_id, [await newLine()]);
      await shop.checkout.record({ ...order, idempotency_key: randomUUID(), state: 'pending', paid_at: null });
      return () => command(recordOrder, order);
    },
  ],
]);

/** An order that gives nothing new. */
const renew: Prepare = async (student_id) => {
  const { line } = await shop.membership(MONTHLY);
  const paid_at = new Date().toISOString();
  const { line_items } = await shop.sell(student_id, [line], { paid_at });
  const order = shop.checkout.order(student_id, [line], { subscription_id: line_items[0]?.granted_id, paid_at });
  return () => command(recordOrder, order);
};

const OTHERS: [string, Prepare][] = [
  ['renews a subscription', renew],
  [
    'is registered by an operator',
    async (student_id) => {
      const { path } = await TestEvent.open(shop.api);
      return () => post(`${path}/registrations`, { student_id });
    },
  ],
  [
    'gets sessions by an operator',
    async (student_id) => {
      const { path } = await newService();
      return () => post(`${path}/purchases`, { student_id });
    },
  ],
  [
    'gets a subscription by an operator',
    async (student_id) => {
      const { line } = await shop.membership(MONTHLY);
      return () => post('/api/v1/subscriptions', { student_id, price_id: line.item.id });
    },
  ],
  [
    'registers for an event',
    async (student_id) => {
      const { id } = await TestEvent.open(shop.api);
      return () => command(makeRegistration, { student: { id: student_id }, event: { id } });
    },
  ],
  [
    'cancels a registration',
    async (student_id) => {
      const { id } = await (await TestEvent.open(shop.api)).registered(student_id);
      return () => command(cancelRegistration, { student: { id: student_id }, registration: { id } });
    },
  ],
  [
    'gets more time of a digital product',
    async (student_id) => {
      const { path } = await shop.product();
      const made = await shop.api.send('POST', `${path}/purchases`, { body: { student_id, expires_at: inDays(1) } });
      const grant = `${path}/purchases/${String(made.body['id'])}`;
      expect(await patch(grant, { expires_at: inDays(0.5) })).toBe(DONE);
      return () => patch(grant, { expires_at: inDays(2) });
    },
  ],
  [
    'gets more time for sessions',
    async (student_id) => {
      const purchase = await newPurchase(student_id, { expires_at: inDays(1) });
      return () => patch(purchase, { expires_at: null });
    },
  ],
  [
    'gets more sessions',
    async (student_id) => {
      const purchase = await newPurchase(student_id, { sessions_total: 2 });
      return () => patch(purchase, { sessions_total: 3 });
    },
  ],
  [
    'submits a form',
    async (student_id) => {
      const slug = unique('form');
      const fields = [{ key: 'name', type: 'text', label: 'Your name' }];
      expect(await command(defineForm, { slug, title: 'Write to us', fields })).toBe(DONE);
      const answers = { name: 'Mei Lin' };
      return () => command(submitForm, { form: { slug }, student: { id: student_id }, answers, occurred_at: at(1) });
    },
  ],
];

it.each([...ORDERS, ...OTHERS])(
  'refuses a removed student who %s, and accepts a restored one',
  async (_name, prepare) => {
    const student_id = await shop.checkout.newStudent();
    const attempt = await prepare(student_id);
    await remove(student_id);
    const before = await rowsOf(student_id);
    expect(await attempt()).toBe('invalid_state');
    expect(await rowsOf(student_id)).toEqual(before);
    await restore(student_id);
    expect(await attempt()).toBe(DONE);
    expect(await rowsOf(student_id)).not.toEqual(before);
  },
);

it('gives a free place of an event to the next active student of the waiting list', async () => {
  const event = await TestEvent.open(shop.api, { capacity: 1, waitlist: true });
  const [first, second, third] = [
    await shop.checkout.newStudent(),
    await shop.checkout.newStudent(),
    await shop.checkout.newStudent(),
  ];
  const { id } = await event.registered(first);
  await event.registered(second);
  await event.registered(third);
  await remove(second);
  expect(await command(cancelRegistration, { student: { id: first }, registration: { id } })).toBe(DONE);
  const states = await query(
    `select student_id, state from event_registrations where event_id = $1 order by registered_at`,
    event.id,
  );
  expect(states).toEqual([
    { student_id: first, state: 'canceled' },
    { student_id: second, state: 'waitlisted' },
    { student_id: third, state: 'registered' },
  ]);
});

it('gives a restored student of the waiting list a place that became free meanwhile', async () => {
  const event = await TestEvent.open(shop.api, { capacity: 1, waitlist: true });
  const [first, second] = [await shop.checkout.newStudent(), await shop.checkout.newStudent()];
  const { id } = await event.registered(first);
  await event.registered(second);
  await remove(second);
  expect(await command(cancelRegistration, { student: { id: first }, registration: { id } })).toBe(DONE);
  await restore(second);
  await get(SeatingService).followClock(100);
  expect(await query(`select state from event_registrations where student_id = $1`, second)).toEqual([
    { state: 'registered' },
  ]);
});

describe('the sale of a line', () => {
  type Sell = (student_id: string, line: Line, tx: EntityManager) => Promise<unknown>;
  const sale = (student_id: string) => ({
    student_id,
    order_id: randomUUID(),
    at: new Date(),
    each: <T>(_index: number, decide: () => T): T => decide(),
  });

  // Orders refuse a removed student before; `digital-product-purchases.spec.ts` has the sale of a product.
  it.each<[string, Sell]>([
    [
      'consulting_sessions',
      (student_id, { item: { id: consulting_service_id } }, tx) => {
        const lines = [{ consulting_service_id, quantity: 1 }];
        return get(ConsultingPurchaseService).sell(shop.api.sites[0], sale(student_id), lines, tx);
      },
    ],
    [
      'membership_plan',
      (student_id, { item: { id: price_id } }, tx) =>
        get(SubscriptionService).sell(shop.api.sites[0], { ...sale(student_id), price_id }, tx),
    ],
    [
      'ticket',
      (student_id, { item: { id: ticket_id } }, tx) => {
        const lines = [{ ticket_id, quantity: 1 }];
        return get(TicketSaleService).sell(shop.api.sites[0], sale(student_id), lines, tx);
      },
    ],
  ])('refuses a %s to a removed student', async (item_type, sell) => {
    const student_id = await shop.checkout.newStudent();
    const line = await NEW_LINES[item_type]!();
    const attempt = () => get(Outbox).transaction((tx) => sell(student_id, line, tx));
    await remove(student_id);
    const before = await rowsOf(student_id);
    await expect(attempt()).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await rowsOf(student_id)).toEqual(before);
    await restore(student_id);
    await attempt();
    expect(await rowsOf(student_id)).not.toEqual(before);
  });
});
