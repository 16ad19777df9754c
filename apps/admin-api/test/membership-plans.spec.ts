import { randomUUID } from 'node:crypto';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { MembershipPlanService } from '#src/membership-plans/membership-plan.service.js';
import type { PlanCourses } from '#src/membership-plans/membership-plan.service.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { untilBlocked } from './database.js';
import { newCourse, unique } from './new-course.js';
import { newMembershipPlan } from './new-membership-plan.js';

let api: TestApi;
let plans: MembershipPlanService;
const followed: PlanCourses[] = [];
beforeAll(async () => {
  api = await startAdminApi();
  plans = api.service.app.get(MembershipPlanService, { strict: false });
  plans.changed.add((_tx, change) => Promise.resolve(void followed.push(change)));
});
afterAll(() => api.stop());

const LIST = '/api/v1/membership_plans';
const CHEAP = { amount_minor: 100, currency: 'TWD' };
const DEAR = { amount_minor: 900, currency: 'TWD' };
const MONTH = { interval: 'month', price: CHEAP };
const UNKNOWN = '019ab3c0-0000-7000-8000-000000000000';

const within = <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> =>
  api.service.app.get(Outbox).transaction(work);
const patch = (path: string, body: object) => api.send('PATCH', path, { body });
const read = async (path: string) => (await api.send('GET', path)).body;

function sell(price_id: string, by: 1 | -1 = 1): Promise<void> {
  return within(async (tx) => plans.countSale(tx, await plans.openTerms(tx, api.sites[0], price_id), by));
}

describe('a patch of the prices', () => {
  it('keeps the ids of prices and the order of the list, and withdraws what an active plan leaves out', async () => {
    const plan = await newMembershipPlan(api, { prices: [{ price: CHEAP }, { price: DEAR }] });
    const [cheap, dear] = plan.prices;
    const list = [
      { id: dear?.id, price: { ...DEAR, amount_minor: 800 } },
      { id: cheap?.id, price: CHEAP },
    ];
    const { body } = await patch(plan.path, { prices: list });
    expect(body['prices']).toMatchObject([{ ...list[0], active: true }, list[1]]);
    expect((await read(plan.path))['prices']).toEqual(body['prices']);
    await patch(plan.path, { prices: [{ id: cheap?.id, price: CHEAP }] });
    expect((await read(plan.path))['prices']).toMatchObject([
      { id: cheap?.id, active: true },
      { id: dear?.id, active: false },
    ]);
    const last = await patch(plan.path, { prices: [] });
    expect([last.status, last.body['errors']]).toMatchObject([422, [{ pointer: '/prices' }]]);
  });

  it('deletes prices that a draft leaves out', async () => {
    const plan = await newMembershipPlan(api, { state: 'draft' });
    expect((await patch(plan.path, { prices: [{ price: DEAR }] })).body['prices']).toHaveLength(1);
    expect((await patch(plan.path, { prices: null })).body['prices']).toEqual([]);
    const refused = await api.send('POST', `${plan.path}/activate`);
    expect([refused.status, refused.body['code']]).toEqual([409, 'invalid_state']);
  });

  it('refuses the id of a price of another plan', async () => {
    const [plan, other] = [await newMembershipPlan(api), await newMembershipPlan(api)];
    const refused = await patch(plan.path, { prices: [{ id: other.prices[0]?.id, price: CHEAP }] });
    expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/prices/0/id' }]]);
    expect((await read(other.path))['prices']).toEqual(other.prices);
  });

  it.each([
    [
      'prices',
      [0, 50],
      [51],
      (count: number) => Array.from({ length: count }, (_, i) => ({ ...MONTH, trial_days: i })),
    ],
    ['interval_count', [1, 36], [0, 37, 1.5], (interval_count: number) => [{ ...MONTH, interval_count }]],
    ['trial_days', [0, 365], [-1, 366], (trial_days: number) => [{ ...MONTH, trial_days }]],
  ])('accepts %s at the limits and none beyond', async (_what, inside, beyond, make) => {
    for (const value of [...inside, ...beyond]) {
      const body = { name: 'Plan', slug: unique('limit'), plan_type: 'recurring', prices: make(value) };
      const { status } = await api.send('POST', LIST, { body });
      expect([value, status]).toEqual([value, inside.includes(value) ? 201 : 422]);
    }
  });
});

it('accepts access_days at the limits and none beyond', async () => {
  for (const [access_days, status] of [
    [0, 422],
    [1, 201],
    [3650, 201],
    [3651, 422],
  ]) {
    const body = { name: 'Plan', slug: unique('days'), plan_type: 'specific_length', access_days };
    expect([access_days, (await api.send('POST', LIST, { body })).status]).toEqual([access_days, status]);
  }
});

it('makes a slug of the name, and refuses a taken one', async () => {
  const body = { name: 'Évery Course', plan_type: 'lifetime' };
  expect((await api.send('POST', LIST, { body })).body).toMatchObject({ slug: 'every-course', state: 'draft' });
  const taken = await api.send('POST', LIST, { body });
  expect([taken.status, taken.body['errors']]).toMatchObject([409, [{ pointer: '/slug' }]]);
});

it('refuses another currency than that of the school', async () => {
  const site = api.sites[1];
  await api.send('PATCH', '/api/v1/school', { site, body: { currency: 'EUR' } });
  const body = { name: 'Plan', plan_type: 'lifetime', prices: [{ price: CHEAP }] };
  const refused = await api.send('POST', LIST, { site, body });
  expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/prices/0/price/currency' }]]);
});

describe('a patch of the courses', () => {
  it('keeps courses as a set, and runs the followers of a change', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await newCourse(api)).id));
    const [first = '', second = '', third = ''] = ids.toSorted();
    const plan = await newMembershipPlan(api, { course_ids: [second, first] });
    expect(followed.filter(({ plan_id }) => plan_id === plan.id)).toEqual([]);
    expect(await read(plan.path)).toMatchObject({ course_ids: [first, second] });
    await patch(plan.path, { course_ids: [second, first], visible: false });
    await patch(plan.path, { course_ids: [third, second] });
    const { site_id } = api.sites[0];
    expect(followed.filter(({ plan_id }) => plan_id === plan.id)).toEqual([
      { site_id, plan_id: plan.id, course_ids: [second, third], added: [third], removed: [first] },
    ]);
  });

  it('refuses a course of another site, an unknown one, a repeated one and more than 200', async () => {
    const plan = await newMembershipPlan(api);
    const elsewhere = await newCourse(api, {}, api.sites[1]);
    for (const course_ids of [
      [elsewhere.id],
      [UNKNOWN],
      [UNKNOWN, UNKNOWN],
      Array.from({ length: 201 }, () => randomUUID()),
    ]) {
      const refused = await patch(plan.path, { course_ids });
      expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/course_ids' }]]);
    }
    const [{ site_id }] = api.sites;
    const many = await within((tx) =>
      tx.query<{ id: string }[]>(
        `insert into courses (site_id, slug, name) select $1, 'many-' || n, 'C' from generate_series(1, 200) n returning id`,
        [site_id],
      ),
    );
    const { body } = await patch(plan.path, { course_ids: many.map(({ id }) => id) });
    expect(body['course_ids']).toHaveLength(200);
  });

  it('never loses a course that is deleted meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [{ id }, plan] = [await newCourse(api), await newMembershipPlan(api)];
      const [given, deleted] = await Promise.all([
        patch(plan.path, { course_ids: [id] }),
        api.send('DELETE', `/api/v1/courses/${id}`),
      ]);
      expect([
        [200, 409],
        [422, 204],
      ]).toContainEqual([given.status, deleted.status]);
    }
  });
});

describe('a sale', () => {
  it('gets the terms of the plan by one of its prices', async () => {
    const { id: course_id } = await newCourse(api);
    const [first, second] = [{ price: CHEAP }, { price: DEAR }];
    const terms = { plan_type: 'specific_length', access_days: 30, quantity: 5, prices: [first, second] };
    const plan = await newMembershipPlan(api, { ...terms, name: 'Month', course_ids: [course_id] });
    const [, dear] = plan.prices;
    expect(await within((tx) => plans.openTerms(tx, api.sites[0], dear?.id ?? ''))).toEqual({
      site_id: api.sites[0].site_id,
      plan_id: plan.id,
      name: 'Month',
      plan_type: 'specific_length',
      state: 'active',
      ends_at: null,
      quantity: 5,
      sold_count: 0,
      access_days: 30,
      access_ends_at: null,
      course_ids: [course_id],
      price: { id: dear?.id, interval: null, interval_count: 1, price: DEAR, trial_days: 0, active: true },
    });
    for (const [site, id] of [[api.sites[1], dear?.id ?? ''] as const, [api.sites[0], UNKNOWN] as const]) {
      const missing = within((tx) => plans.openTerms(tx, site, id));
      await expect(missing).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('reads the terms that the lock has waited for', async () => {
    const plan = await newMembershipPlan(api);
    const id = plan.prices[0]?.id ?? '';
    const changed = within(async (tx) => {
      await plans.openTerms(tx, api.sites[0], id);
      const waiting = within((other) => plans.openTerms(other, api.sites[0], id));
      await untilBlocked(tx);
      await tx.query('update membership_plan_prices set price_amount_minor = 7 where id = $1', [id]);
      return { waiting };
    });
    expect((await (await changed).waiting).price.price).toMatchObject({ amount_minor: 7 });
  });

  it('counts up to the quantity in parallel, and takes a sale back', async () => {
    const plan = await newMembershipPlan(api, { quantity: 3 });
    const id = plan.prices[0]?.id ?? '';
    const sales = await Promise.allSettled(Array.from({ length: 8 }, () => sell(id)));
    const refused = sales.flatMap((sale) => (sale.status === 'rejected' ? [sale.reason as unknown] : []));
    expect(refused).toHaveLength(5);
    for (const error of refused) {
      expect(error).toMatchObject({ code: 'invalid_state', errors: [{ code: 'sold_out' }] });
    }
    const sold = await api.send('GET', plan.path);
    expect(sold.body).toMatchObject({ sold_count: 3 });
    await sell(id, -1);
    const returned = await api.send('GET', plan.path);
    expect(returned.body).toMatchObject({ sold_count: 2, updated_at: sold.body['updated_at'] });
    expect(returned.headers['etag']).not.toBe(sold.headers['etag']);
    const headers = { 'if-match': sold.headers['etag'] ?? '' };
    expect((await api.send('PATCH', plan.path, { body: { quantity: 2 }, headers })).status).toBe(200);
    await expect(sell(id)).rejects.toMatchObject({ errors: [{ code: 'sold_out' }] });
  });

  it('keeps a sold plan from another type, a lower quantity and its deletion', async () => {
    const plan = await newMembershipPlan(api, { quantity: 2 });
    const id = plan.prices[0]?.id ?? '';
    await sell(id);
    await sell(id);
    const typed = await patch(plan.path, { plan_type: 'specific_length', access_days: 3 });
    expect([typed.status, typed.body['code']]).toEqual([409, 'invalid_state']);
    expect((await patch(plan.path, { quantity: 1 })).body['errors']).toMatchObject([{ pointer: '/quantity' }]);
    const deleted = await api.send('DELETE', plan.path);
    expect([deleted.status, deleted.body['code']]).toEqual([409, 'resource_in_use']);
  });

  it('refuses a draft, an archived plan and a withdrawn price', async () => {
    const draft = await newMembershipPlan(api, { state: 'draft' });
    const archived = await newMembershipPlan(api);
    await api.send('POST', `${archived.path}/archive`);
    const plan = await newMembershipPlan(api, { prices: [{ price: DEAR, active: false }, { price: CHEAP }] });
    for (const { prices } of [draft, archived, plan]) {
      await expect(sell(prices[0]?.id ?? '')).rejects.toMatchObject({
        code: 'invalid_state',
        errors: [{ code: 'not_for_sale' }],
      });
    }
  });
});
