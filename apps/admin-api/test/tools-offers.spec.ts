import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { declare } from './declare.js';
import { newCourse } from './new-course.js';
import { newMembershipPlan } from './new-membership-plan.js';
import { insertProducts } from './new-product.js';
import { insertEvents } from './new-events.js';
import { withDatabase } from './database.js';
import { newPage } from './new-page.js';
import { toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

const LONG = `<p>${'長'.repeat(19_000)}</p>`;
const price = { amount_minor: Number.MAX_SAFE_INTEGER, currency: 'TWD' };
const name = (slug: string): string => `${slug.slice(0, 9)} ${'課'.repeat(190)}`;
const url = (path: string): string => `https://files.example.com/${path.repeat(200)}`;

/** Fifty public objects and a hidden one of each collection, all of the largest size. */
const MANY = Array.from({ length: 50 }, (_none, i) => `shown-${i}-${'x'.repeat(80)}`);
const of = (make: (slug: string) => object, hidden: object): object[] => [
  ...MANY.map(make),
  { ...make('hidden'), ...hidden },
];
const file = (i: number): object => ({
  file_id: randomUUID(),
  name: `${i} ${'檔'.repeat(190)}`,
  content_type: `application/${'x'.repeat(80)}`,
  size_bytes: 1,
});
const times = { starts_at: '2999-01-01T00:00:00.000Z', ends_at: '2999-01-01T01:00:00.000Z' };

const PRODUCTS = of((slug) => ({ slug, name: name(slug), state: 'published', price, description_html: LONG }), {
  state: 'draft',
  files: Array.from({ length: 100 }, (_none, i) => file(i)),
});

const DECLARED = {
  lecturers: of((slug) => ({ slug, name: name(slug), title: '師'.repeat(200), visible: true, bio_html: LONG }), {
    visible: false,
    email: 'hidden@private.example',
    social_links: Array.from({ length: 10 }, () => ({ network: 'web', url: url('c') })),
  }),
};

const EVENTS = of(
  (slug) => ({
    ...times,
    slug,
    name: name(slug),
    state: 'published',
    hosting_type: 'zoom',
    location: '港'.repeat(300),
  }),
  {
    state: 'draft',
    join_url: url('b'),
    description_html: LONG,
    tickets: Array.from({ length: 20 }, () => ({ name: '票'.repeat(100), price })),
  },
);

const TOOLS = [
  { resource: 'digital_products', list: 'list_digital_products', get: 'get_digital_product' },
  { resource: 'events', list: 'list_events', get: 'get_event' },
  { resource: 'membership_plans', list: 'list_membership_plans', get: 'get_membership_plan' },
  { resource: 'lecturers', list: 'list_lecturers', get: 'get_lecturer' },
  { resource: 'pages', list: 'list_pages', get: undefined },
] as const;

const GETTING = TOOLS.flatMap(({ get, ...rest }) => (get === undefined ? [] : [{ ...rest, get }]));
const HIDDEN = { lecturers: { visible: false } } as Readonly<Record<string, object>>;
const hiddenOf = (resource: string): object => HIDDEN[resource] ?? { state: 'draft' };
const scoped = (resource: string) => ({ scopes: [`${resource}:read`] });
const size = (result: object): number => Buffer.byteLength(JSON.stringify(result));

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
  const { id } = await newCourse(api, { slug: 'knots' });
  const plans = of((slug) => ({ slug, name: name(slug), prices: [{ price }] }), {
    state: 'draft',
    description_html: LONG,
    course_ids: [id],
  });
  for (const plan of plans) await newMembershipPlan(api, { ...plan });
  await insertProducts(api, PRODUCTS);
  await declare(api, {
    sites: [{ site_id: api.sites[0].site_id, school: { name: 'Harbour', currency: 'TWD' }, ...DECLARED }],
  });
  for (const slug of [...MANY, 'hidden']) await newPage(api, { slug, title: name(slug) });
  await withDatabase(api.databaseUrl, (client) =>
    client.query(`update pages set state = 'published' where slug <> 'hidden'`),
  );
  await insertEvents(api, api.sites[0], EVENTS as Record<string, unknown>[]);
});
afterAll(() => api.stop());

const hiddenId = async (resource: string, list: string): Promise<unknown> =>
  (await call<Items>(list, hiddenOf(resource), scoped(resource))).items[0]?.['id'];

describe.each(TOOLS)('$list', ({ resource, list }) => {
  it('lists all objects for operators, hidden ones too, page by page', async () => {
    const slugs: unknown[] = [];
    let after: string | null = null;
    do {
      const page: Items = await call(list, { first: 30, ...(after === null ? {} : { after }) }, scoped(resource));
      slugs.push(...page.items.map(({ slug }) => slug));
      after = page.next_cursor;
    } while (after !== null);
    expect(slugs).toHaveLength(MANY.length + 1);
    expect(new Set(slugs)).toEqual(new Set([...MANY, 'hidden']));
    const hidden = await call<Items>(list, hiddenOf(resource), scoped(resource));
    expect(hidden).toMatchObject({ items: [{ slug: 'hidden', ...hiddenOf(resource) }], next_cursor: null });
  });

  it('keeps a page of fifty below 60 KB', async () => {
    const page = await call<Items>(list, { first: 50 }, scoped(resource));
    expect(page.items).toHaveLength(50);
    expect(size(page)).toBeLessThan(60_000);
  });

  it('names the argument of a forged cursor and of a limit out of range', async () => {
    expect(await call(list, { after: 'forged' }, scoped(resource))).toMatchObject({
      code: 'invalid_cursor',
      errors: [{ pointer: '/after' }],
      hint: expect.stringContaining('`after`'),
    });
    for (const first of [0, 51]) {
      expect(await call(list, { first }, scoped(resource))).toMatchObject({ code: 'validation_failed' });
    }
  });

  it('lists nothing of another site', async () => {
    const elsewhere = { ...scoped(resource), site: api.sites[1] };
    expect((await call<Items>(list, {}, elsewhere)).items).toEqual([]);
  });
});

describe.each(GETTING)('$get', ({ resource, list, get }) => {
  it('shows a hidden object of the largest size in less than 60 KB', async () => {
    const id = await hiddenId(resource, list);
    const shown = await call(get, { id: String(id).toUpperCase() }, scoped(resource));
    expect(shown).toMatchObject({ id, slug: 'hidden', ...hiddenOf(resource) });
    expect(shown[resource === 'lecturers' ? 'bio_truncated' : 'description_truncated']).toBe(true);
    expect(size(shown)).toBeLessThan(60_000);
  });

  it('refuses a malformed id', async () => {
    expect(await call(get, { id: 'hidden' }, scoped(resource))).toMatchObject({ code: 'validation_failed' });
  });
});

it('shows join URL, sales and identity only to operators', async () => {
  const details = async (resource: string) => {
    const { list, get } = GETTING.find((one) => one.resource === resource) ?? GETTING[0]!;
    return call(get, { id: await hiddenId(resource, list) }, scoped(resource));
  };
  expect(await details('events')).toMatchObject({ join_url: url('b'), registrations_count: 0 });
  expect(await details('membership_plans')).toMatchObject({ sold_count: 0, course_ids: [expect.any(String)] });
  expect(await details('lecturers')).toMatchObject({ email: 'hidden@private.example' });
  const product = await details('digital_products');
  expect(product).toMatchObject({ files_count: 100 });
  expect(product['files']).toHaveLength(20);
});

it.each(['browse_catalog', 'browse_events', 'browse_plans', 'browse_lecturers'])(
  'hides hidden objects from visitors in %s',
  async (tool) => {
    const found: unknown[] = [];
    let after: string | null = null;
    do {
      const page: Items = await call(tool, { first: 10, ...(after === null ? {} : { after }) });
      found.push(...page.items.map(({ slug }) => slug));
      after = page.next_cursor;
    } while (after !== null);
    expect(found.length).toBeGreaterThanOrEqual(MANY.length);
    expect(found).not.toContain('hidden');
  },
);
