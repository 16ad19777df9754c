import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse } from './new-course.js';
import { insertEvents } from './new-events.js';
import { newMembershipPlan } from './new-membership-plan.js';
import { newProduct, publishedProduct } from './new-product.js';
import { publishedCourse, toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

const ID = expect.any(String);
const PRICE = { amount_minor: 150_000, currency: 'TWD' };
const WITHDRAWN = { amount_minor: 1_000, currency: 'TWD' };
const CHEAPER = { amount_minor: 90_000, currency: 'TWD' };
const NEXT = { starts_at: '2999-05-01T09:00:00.000Z', ends_at: '2999-05-01T11:00:00.000Z' };
/** Plans of a course that is sold by three of them. */
const SOLD_BY = [
  { name: 'For life', plan_type: 'one_time_purchase', price: PRICE, position: 2 },
  { name: 'One year', plan_type: 'specific_length', price: CHEAPER, access_days: 365, position: 1 },
  { name: 'Monthly', plan_type: 'subscription', price: PRICE, interval: 'month', interval_count: 1, position: 3 },
  { name: 'Withdrawn', plan_type: 'one_time_purchase', price: WITHDRAWN, active: false },
  { name: 'Over', plan_type: 'fixed_date', price: WITHDRAWN, access_ends_at: '2020-05-01T09:00:00.000Z' },
];
const OVER = { starts_at: '2020-05-01T09:00:00.000Z', ends_at: '2020-05-01T11:00:00.000Z' };
const JOIN = 'https://meet.example.com/secret';

const online = { hosting_type: 'zoom', join_url: JOIN, timezone: 'Asia/Taipei', state: 'published' };

const EVENTS = [
  {
    ...online,
    ...NEXT,
    slug: 'regatta',
    name: 'C Regatta',
    tickets: [
      { name: 'On board', price: PRICE },
      { name: 'Ashore', price: CHEAPER },
    ],
  },
  { ...online, ...NEXT, starts_at: '2999-04-01T09:00:00.000Z', slug: 'lecture', name: 'C Lecture' },
  { ...online, ...OVER, slug: 'first-regatta', name: 'C First regatta' },
  { ...online, ...NEXT, slug: 'draft-regatta', name: 'C Draft regatta', state: 'draft' },
];

/** Plans of the courses. The first one is public. */
const plans = (course_ids: readonly string[]) => [
  {
    slug: 'crew',
    name: 'D Crew',
    plan_type: 'recurring',
    prices: [
      { interval: 'year', price: PRICE, trial_days: 14 },
      { interval: 'month', price: CHEAPER },
      { interval: 'week', price: WITHDRAWN, active: false },
    ],
    course_ids,
  },
  { slug: 'secret-crew', name: 'D Secret crew', visible: false },
  { slug: 'draft-crew', name: 'D Draft crew', state: 'draft' },
  { slug: 'old-crew', name: 'D Old crew', ends_at: OVER.ends_at },
  { slug: 'last-crew', name: 'D Last crew', plan_type: 'fixed_date', access_ends_at: OVER.ends_at },
];

/** Public objects by name. */
const LISTED = ['course knots', 'digital_product charts', 'event lecture', 'event regatta', 'membership_plan crew'];
const HIDDEN = [
  ['course', 'night'],
  ['digital_product', 'draft-charts'],
  ['event', 'draft-regatta'],
  ['membership_plan', 'secret-crew'],
  ['membership_plan', 'draft-crew'],
  ['membership_plan', 'old-crew'],
  ['membership_plan', 'last-crew'],
  ['event', 'knots'],
] as const;

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
  const knots = await publishedCourse(api, { slug: 'knots', name: 'A Knots', subtitle: 'That hold' });
  const night = await newCourse(api, { slug: 'night', name: 'A Night' });
  await publishedCourse(api, { slug: 'knots', name: 'Elsewhere' }, api.sites[1]);
  for (const body of SOLD_BY) {
    const { status } = await api.send('POST', `/api/v1/courses/${knots.id}/plans`, { body });
    expect(status).toBe(201);
  }
  for (const plan of plans([knots.id, night.id])) await newMembershipPlan(api, plan);
  await publishedProduct(api, {
    slug: 'charts',
    name: 'B Charts',
    description_html: '<p>Of the bay<script>no</script></p>',
    price: PRICE,
    compare_at_price: { amount_minor: 200_000, currency: 'TWD' },
  });
  await newProduct(api, { slug: 'draft-charts', name: 'B Draft charts' });
  await insertEvents(api, api.sites[0], EVENTS);
});
afterAll(() => api.stop());

const there = () => ({ site: api.sites[1] });

describe('browse_catalog', () => {
  it('lists all types by name in pages of any size, without hidden items', async () => {
    for (const first of [1, 2, 50]) {
      const found: string[] = [];
      let after: string | null = null;
      do {
        const page: Items = await call('browse_catalog', { first, ...(after === null ? {} : { after }) });
        expect(page.items.length).toBeLessThanOrEqual(first);
        found.push(...page.items.map(({ type, slug }) => `${String(type)} ${String(slug)}`));
        after = page.next_cursor;
      } while (after !== null);
      expect(found).toEqual(LISTED);
    }
  });

  it('finds by text and by type, with the lowest price', async () => {
    expect(await call('browse_catalog', { q: 'REGATTA' })).toEqual({
      items: [
        {
          type: 'event',
          slug: 'regatta',
          name: 'C Regatta',
          subtitle: null,
          price_from: CHEAPER,
          starts_at: NEXT.starts_at,
        },
      ],
      next_cursor: null,
    });
    const courses = await call<Items>('browse_catalog', { type: 'course' });
    expect(courses.items).toMatchObject([{ slug: 'knots', price_from: CHEAPER }]);
    const plans = await call<Items>('browse_catalog', { type: 'membership_plan' });
    expect(plans.items).toMatchObject([{ slug: 'crew', price_from: CHEAPER }]);
    expect((await call<Items>('browse_catalog', { q: 'regatta', type: 'course' })).items).toEqual([]);
    expect(await call('browse_catalog', { type: 'order' })).toMatchObject({ code: 'validation_failed' });
  });

  it.each([
    ['words in any order', 'regatta C', ['regatta']],
    ['a word of the subtitle', 'hold', ['knots']],
    ['words of the name, the subtitle and the slug', 'KNOTS that knots', ['knots']],
    ['parts of words, however far apart', '  gat   C ', ['regatta']],
    ['a word that is missing', 'regatta knots', []],
    ['signs that stand for themselves', '% _', []],
  ])('finds by %s', async (_what, q, slugs) => {
    const { items } = await call<Items>('browse_catalog', { q });
    expect(items.map(({ slug }) => slug)).toEqual(slugs);
  });

  it('accepts ten words and refuses eleven', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
    expect(await call('browse_catalog', { q: words(10) })).toMatchObject({ items: [] });
    expect(await call('browse_catalog', { q: words(11) })).toMatchObject({ code: 'validation_failed' });
  });

  it('binds a cursor to site, text and type', async () => {
    const { next_cursor: after } = await call<Items>('browse_catalog', { first: 1 });
    for (const [args, caller] of [
      [{ q: 'a' }, {}],
      [{ type: 'course' }, {}],
      [{}, there()],
    ] as const) {
      expect(await call('browse_catalog', { ...args, first: 1, after }, caller)).toMatchObject({
        code: 'invalid_cursor',
      });
    }
  });

  it('knows nothing of another site', async () => {
    expect((await call<Items>('browse_catalog', {}, there())).items).toMatchObject([{ name: 'Elsewhere' }]);
  });

  it('shows no price for a course that a plan gives for free', async () => {
    const listed = await call<Items>('list_courses', {}, { ...there(), scopes: ['courses:read'] });
    const path = `/api/v1/courses/${String(listed.items[0]?.['id'])}/plans`;
    const sell = (body: object) => api.send('POST', path, { ...there(), body });
    await sell({ name: 'All', plan_type: 'one_time_purchase', price: PRICE });
    const { items } = await call<Items>('browse_catalog', {}, there());
    expect(items).toMatchObject([{ name: 'Elsewhere', price_from: PRICE }]);
    await sell({ name: 'Open', plan_type: 'free' });
    const after = await call<Items>('browse_catalog', {}, there());
    expect(after.items).toMatchObject([{ name: 'Elsewhere', price_from: null }]);
  });
});

describe('browse_item', () => {
  it('describes an item of each type', async () => {
    const none = { course: null, digital_product: null, event: null, membership_plan: null };
    const plain = { ...none, description_html: null, description_truncated: false };
    const once = { interval: null, interval_count: null, access_days: null, access_ends_at: null };
    const sold = [
      { ...once, id: ID, name: 'One year', plan_type: 'specific_length', price: CHEAPER, access_days: 365 },
      { ...once, id: ID, name: 'For life', plan_type: 'one_time_purchase', price: PRICE },
      {
        ...once,
        id: ID,
        name: 'Monthly',
        plan_type: 'subscription',
        price: PRICE,
        interval: 'month',
        interval_count: 1,
      },
    ];
    expect(await call('browse_item', { type: 'course', slug: 'knots' })).toMatchObject({
      ...plain,
      course: { subtitle: 'That hold', course_type: 'paid', plans: sold },
    });
    expect(await call('browse_course', { slug: 'knots' })).toMatchObject({ plans: sold });
    expect(await call('browse_item', { type: 'digital_product', slug: 'charts' })).toEqual({
      ...plain,
      type: 'digital_product',
      slug: 'charts',
      name: 'B Charts',
      description_html: '<p>Of the bay</p>',
      digital_product: {
        price: PRICE,
        compare_at_price: { amount_minor: 200_000, currency: 'TWD' },
        access_days: null,
        files_count: 1,
      },
    });
    const event = await call('browse_item', { type: 'event', slug: 'first-regatta' });
    expect(event).toMatchObject({ ...plain, event: { ...OVER, full: false, tickets: [], timezone: 'Asia/Taipei' } });
    expect(JSON.stringify(event)).not.toContain(JOIN);
    expect(await call('browse_item', { type: 'membership_plan', slug: 'crew' })).toMatchObject({
      ...plain,
      membership_plan: {
        sold_out: false,
        prices: [
          { id: ID, interval: 'year', interval_count: 1, price: PRICE, trial_days: 14 },
          { id: ID, interval: 'month', interval_count: 1, price: CHEAPER, trial_days: 0 },
        ],
        courses_count: 1,
      },
    });
  });

  it.each(HIDDEN)('returns not_found for %s "%s"', async (type, slug) => {
    expect(await call('browse_item', { type, slug })).toMatchObject({ code: 'not_found' });
  });

  it('knows nothing of another site', async () => {
    for (const item of LISTED.slice(1)) {
      const [type, slug] = item.split(' ');
      expect(await call('browse_item', { type, slug }, there())).toMatchObject({ code: 'not_found' });
    }
  });
});

describe('browse_events', () => {
  it('lists coming events with prices, the next one first, without join URLs', async () => {
    const first = await call<Items>('browse_events', { first: 1 });
    expect(first.items).toMatchObject([{ slug: 'lecture', tickets: [] }]);
    const second = await call<Items>('browse_events', { first: 1, after: first.next_cursor });
    expect(second.items).toMatchObject([
      {
        slug: 'regatta',
        ...NEXT,
        tickets: [
          { id: ID, name: 'On board', price: PRICE, sold_out: false },
          { id: ID, name: 'Ashore', price: CHEAPER, sold_out: false },
        ],
      },
    ]);
    expect(second.next_cursor).toBeNull();
    expect(JSON.stringify([first, second])).not.toContain(JOIN);
    expect((await call<Items>('browse_events', { when: 'past' })).items).toMatchObject([{ slug: 'first-regatta' }]);
    expect((await call<Items>('browse_events', {}, there())).items).toEqual([]);
  });
});

describe('browse_plans', () => {
  it('lists plans that are open', async () => {
    expect((await call<Items>('browse_plans', {})).items).toMatchObject([{ slug: 'crew', courses_count: 1 }]);
    expect((await call<Items>('browse_plans', {}, there())).items).toEqual([]);
  });
});

it.each(['browse_catalog', 'browse_events', 'browse_plans', 'browse_lecturers', 'browse_posts'])(
  'accepts pages of 1 to 50 in %s',
  async (tool) => {
    for (const first of [1, 50]) expect(await call(tool, { first })).toMatchObject({ items: expect.any(Array) });
    for (const first of [0, 51]) expect(await call(tool, { first })).toMatchObject({ code: 'validation_failed' });
    expect(await call(tool, { after: 'forged' })).toMatchObject({ code: 'invalid_cursor' });
  },
);

it('refuses to delete a course of a plan', async () => {
  const [course] = (await call<Items>('list_courses', { q: 'night' }, { scopes: ['courses:read'] })).items;
  expect(await call('delete_course', { id: course?.['id'] }, { scopes: ['courses:write'] })).toMatchObject({
    code: 'resource_in_use',
  });
});
