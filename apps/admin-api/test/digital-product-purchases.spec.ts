import { randomUUID } from 'node:crypto';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { DigitalProductGrantService } from '#src/digital-product-grants/digital-product-grant.service.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newStudent } from './consulting.js';
import { withDatabase } from './database.js';
import { PRODUCTS, created, newProduct, publishedProduct } from './new-product.js';

type Body = Record<string, unknown>;

const DAY_MS = 86_400_000;
const LATER = '2099-01-01T00:00:00.000Z';

let api: TestApi;
let grants: DigitalProductGrantService;
beforeAll(async () => {
  api = await startAdminApi();
  grants = api.service.app.get(DigitalProductGrantService, { strict: false });
});
afterAll(() => api.stop());

const pathOf = (product: string, id = ''): string => `${PRODUCTS}/${product}/purchases${id && `/${id}`}`;
const grant = (product: string, student_id: string, body: Body = {}) =>
  api.send<Body & { id: string }>('POST', pathOf(product), { body: { student_id, ...body } });
const read = async (product: string, id: string): Promise<Body> => (await api.send('GET', pathOf(product, id))).body;
const patch = (product: string, id: string, body: object) => api.send('PATCH', pathOf(product, id), { body });
const soldCount = async (product: string) => (await api.send('GET', `${PRODUCTS}/${product}`)).body['sold_count'];
const codeOf = ({ status, body }: { status: number; body: Body }) => [status, body['code']];
const daysFrom = (start: unknown, days: number): string =>
  new Date(new Date(String(start)).getTime() + days * DAY_MS).toISOString();

async function eventsOf(id: string, count: number): Promise<[string | undefined, unknown][]> {
  const events = await api.events.of([id], count);
  return events.map(({ type, data }) => [type.split('.')[2], data['state']]);
}

const transaction = <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> =>
  api.service.app.get(Outbox, { strict: false }).transaction(work);

interface Line {
  readonly product: string;
  readonly student: string;
  readonly order: string;
  readonly at?: Date;
}
const sell = ({ product: digital_product_id, student: student_id, order: order_id, at = new Date() }: Line) =>
  transaction(async (tx) => {
    const buyer = { student_id, order_id, at, each: <T>(_line: number, decide: () => T): T => decide() };
    const [id = ''] = await grants.sell(api.sites[0], buyer, [digital_product_id], tx);
    return { id };
  });
const takeBack = (order_id: string, digital_product_id?: string) =>
  transaction((tx) =>
    grants.takeBack(api.sites[0], { order_id, ...(digital_product_id && { digital_product_id }) }, tx),
  );

/** Moves the end of a grant into the past. */
const age = (id: string): Promise<unknown> =>
  withDatabase(api.databaseUrl, (client) =>
    client.query(`update digital_product_grants set expires_at = now() - interval '1 minute' where id = $1`, [id]),
  );

describe('a purchase by hand', () => {
  it('lasts as the product or the request says, and is returned unchanged while it is active', async () => {
    const [{ id: product }, student] = [await newProduct(api, { access_days: 30 }), await newStudent(api)];
    const made = await grant(product, student);
    expect(made).toMatchObject({ status: 201, body: { state: 'active', source: 'manual', student_id: student } });
    expect(made.body['expires_at']).toBe(daysFrom(made.body['granted_at'], 30));
    const again = await grant(product, student, { expires_at: null });
    expect([again.status, again.body]).toEqual([200, made.body]);
    const forLife = await grant(product, await newStudent(api), { expires_at: null });
    expect(forLife.body['expires_at']).toBeNull();
    expect(await eventsOf(made.body.id, 1)).toEqual([['granted', 'active']]);
    expect(await soldCount(product)).toBe(0);
  });

  it('begins once when ten requests come at one time', async () => {
    const [{ id: product }, student] = [await newProduct(api), await newStudent(api)];
    const sent = await Promise.all(Array.from({ length: 10 }, () => grant(product, student)));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array<number>(9).fill(200), 201]);
    expect(new Set(sent.map(({ body }) => body.id)).size).toBe(1);
  });

  it('expires by the clock, and comes back with a later end unless the student has another', async () => {
    const [{ id: product }, student] = [await newProduct(api, { access_days: 1 }), await newStudent(api)];
    const { id } = (await grant(product, student)).body;
    await age(id);
    expect(await read(product, id)).toMatchObject({ state: 'expired' });
    await grants.followClock(100);
    expect(await eventsOf(id, 2)).toEqual([
      ['granted', 'active'],
      ['expired', 'expired'],
    ]);
    expect((await patch(product, id, { expires_at: LATER })).body).toMatchObject({ state: 'active' });
    await age(id);
    const other = await grant(product, student);
    expect([other.status, other.body.id]).toEqual([201, expect.not.stringMatching(id)]);
    expect(codeOf(await patch(product, id, { expires_at: LATER }))).toEqual([409, 'invalid_state']);
    expect(await eventsOf(id, 4)).toMatchObject([{}, {}, ['extended', 'active'], ['expired', 'expired']]);
  });

  it('ends when it is revoked, and another one can be made', async () => {
    const [{ id: product }, student] = [await newProduct(api), await newStudent(api)];
    const { id } = (await grant(product, student)).body;
    expect((await api.send('POST', `${pathOf(product, id)}/revoke`)).body).toMatchObject({ state: 'revoked' });
    expect((await grant(product, student)).status).toBe(201);
  });

  it('needs an active student, a product that is not archived, and an end in the future', async () => {
    const [{ id: product }, student] = [await publishedProduct(api), await newStudent(api)];
    expect((await grant(product, student, { expires_at: '2020-01-01T00:00:00Z' })).status).toBe(422);
    await withDatabase(api.databaseUrl, (client) =>
      client.query(`update students set state = 'removed' where id = $1`, [student]),
    );
    expect(codeOf(await grant(product, student))).toEqual([409, 'invalid_state']);
    for (const action of ['unpublish', 'archive']) await api.send('POST', `${PRODUCTS}/${product}/${action}`);
    expect(codeOf(await grant(product, await newStudent(api)))).toEqual([409, 'invalid_state']);
  });
});

describe('a sale', () => {
  it('gives and counts once while ten transactions record one order', async () => {
    const [{ id: product }, student] = [await newProduct(api, { access_days: 30 }), await newStudent(api)];
    const line = { product, student, order: randomUUID(), at: new Date('2090-01-01T00:00:00Z') };
    const sold = await Promise.all(Array.from({ length: 10 }, () => sell(line)));
    const [{ id } = { id: '' }] = sold;
    expect(new Set(sold.map((one) => one.id))).toEqual(new Set([id]));
    expect(await read(product, id)).toMatchObject({
      source: 'order',
      granted_at: '2090-01-01T00:00:00.000Z',
      expires_at: '2090-01-31T00:00:00.000Z',
    });
    expect(await soldCount(product)).toBe(1);
    expect(await eventsOf(id, 1)).toHaveLength(1);
  });

  it('counts each of many orders for one product once', async () => {
    const { id: product } = await newProduct(api);
    const students = await Promise.all(Array.from({ length: 5 }, () => newStudent(api)));
    const lines = students.flatMap((student) =>
      [randomUUID(), randomUUID()].map((order) => ({ product, student, order })),
    );
    const sold = await Promise.all(lines.map(sell));
    expect(new Set(sold.map(({ id }) => id)).size).toBe(5);
    expect(await soldCount(product)).toBe(10);
    await Promise.all(lines.flatMap(({ order }) => [takeBack(order), takeBack(order)]));
    expect(await soldCount(product)).toBe(0);
    for (const { id } of sold) expect(await read(product, id)).toMatchObject({ state: 'revoked' });
  });

  it('extends the active purchase, and its refund leaves what came by hand and by other orders', async () => {
    const [{ id: product }, student] = [await newProduct(api, { access_days: 30 }), await newStudent(api)];
    const end = '2090-06-01T00:00:00.000Z';
    const { id } = (await grant(product, student, { expires_at: end })).body;
    const orders = ['2090-05-20T00:00:00Z', '2090-07-01T00:00:00Z'].map((at) => ({
      product,
      student,
      order: randomUUID(),
      at: new Date(at),
    }));
    for (const line of orders) expect(await sell(line)).toEqual({ id });
    const [first = '', second = ''] = orders.map(({ order }) => order);
    expect(await read(product, id)).toMatchObject({ expires_at: '2090-07-31T00:00:00.000Z', source: 'manual' });
    await takeBack(second);
    expect(await read(product, id)).toMatchObject({ state: 'active', expires_at: '2090-06-19T00:00:00.000Z' });
    await takeBack(first);
    await takeBack(first);
    expect(await read(product, id)).toMatchObject({ state: 'active', expires_at: end });
    expect(await soldCount(product)).toBe(0);
  });

  it('revokes the purchase that its order alone gave, and does not give it again', async () => {
    const [{ id: product }, student, order] = [await newProduct(api), await newStudent(api), randomUUID()];
    const { id } = await sell({ product, student, order });
    await takeBack(order, (await newProduct(api)).id);
    expect(await read(product, id)).toMatchObject({ state: 'active' });
    await takeBack(order, product);
    expect(await sell({ product, student, order })).toEqual({ id });
    expect(await read(product, id)).toMatchObject({ state: 'revoked' });
    expect(await soldCount(product)).toBe(0);
  });

  it('keeps the end that an operator has set for all orders that are left', async () => {
    const [{ id: product }, student] = [await newProduct(api), await newStudent(api)];
    const orders = [randomUUID(), randomUUID()];
    const { id } = await sell({ product, student, order: orders[0] ?? '' });
    await sell({ product, student, order: orders[1] ?? '' });
    await patch(product, id, { expires_at: LATER });
    await takeBack(orders[0] ?? '');
    expect(await read(product, id)).toMatchObject({ state: 'active', expires_at: LATER });
  });

  it('refuses an archived product and a removed student', async () => {
    const [{ id: product }, student, order] = [await publishedProduct(api), await newStudent(api), randomUUID()];
    for (const action of ['unpublish', 'archive']) await api.send('POST', `${PRODUCTS}/${product}/${action}`);
    await expect(sell({ product, student, order })).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await soldCount(product)).toBe(0);
    const { id: open } = await newProduct(api);
    await withDatabase(api.databaseUrl, (client) =>
      client.query(`update students set state = 'removed' where id = $1`, [student]),
    );
    await expect(sell({ product: open, student, order })).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

it('publishes purchases again with the person when the student is linked', async () => {
  const [{ id: product }, student_id] = [await newProduct(api), await newStudent(api)];
  const { id } = await created(api, pathOf(product), { student_id });
  const { body } = await api.send('GET', `/api/v1/students/${student_id}`);
  const [person_id, member_id, [{ site_id }]] = [randomUUID(), randomUUID(), api.sites];
  const member = { person_id, member_id, email: String(body['email']), name: 'Mei', student_id, site_id };
  await api.events.sendRoles({ ...member, roles: ['student'], joined_at: '2026-10-01T08:00:00.000Z' }, 1);
  const events = await api.events.of([id], 2);
  expect(events.map(({ type, aggregate_version, data }) => [type, aggregate_version, data['person_id']])).toEqual([
    ['school.digital_product_grant.granted.v1', 1, null],
    ['school.digital_product_grant.linked.v1', 2, person_id],
  ]);
});

it('leaves the turn of the clock to others while it is locked, and expires afterwards', async () => {
  const { id: product } = await publishedProduct(api);
  const { id } = (await grant(product, await newStudent(api))).body;
  await age(id);
  await withDatabase(api.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('select from digital_product_grants where id = $1 for no key update', [id]);
    // Others of this file are due, too.
    await grants.followClock(100);
    expect(await grants.followClock(100)).toBe(0);
    await client.query('commit');
  });
  expect(await grants.followClock(100)).toBe(1);
});
