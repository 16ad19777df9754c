import { digitalProduct } from '#src/digital-products/digital-product.schema.js';
import { event as eventResource } from '#src/events/event.schema.js';
import { lecturer } from '#src/lecturers/lecturer.schema.js';
import { membershipPlan } from '#src/membership-plans/membership-plan.schema.js';
import { page } from '#src/pages/page.schema.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { declare } from './declare.js';

const price = { amount_minor: 100, currency: 'TWD' };
const event = {
  hosting_type: 'zoom',
  join_url: 'https://meet.example.com/a',
  starts_at: '2999-01-01T00:00:00Z',
  ends_at: '2999-01-01T01:00:00Z',
};
const file = {
  file_id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  name: 'a.pdf',
  content_type: 'application/pdf',
  size_bytes: 1,
  storage_url: 'https://files.example.com/a.pdf',
};

/** Of each collection: an object that everybody may see, and one that only operators see. */
const DECLARED = {
  courses: [{ slug: 'knots', name: 'Knots', state: 'published' }],
  digital_products: [
    { slug: 'a', name: 'A', state: 'published', price, files: [file] },
    { slug: 'b', name: 'B', price },
  ],
  events: [
    { ...event, slug: 'a', name: 'A', state: 'published', tickets: [{ name: 'Seat', price }] },
    { ...event, slug: 'b', name: 'B' },
  ],
  membership_plans: [
    { slug: 'a', name: 'A', plan_type: 'lifetime', state: 'active', prices: [{ price }], courses: ['knots'] },
    { slug: 'b', name: 'B', plan_type: 'lifetime' },
  ],
  lecturers: [
    { slug: 'a', name: 'A', email: 'a@private.example', visible: true },
    { slug: 'b', name: 'B' },
  ],
  pages: [
    { slug: 'a', title: 'A', state: 'published', content_html: '<p>A</p>' },
    { slug: 'b', title: 'B', content_html: '<p>B</p>' },
  ],
};

const COLLECTIONS = [
  ['digital_products', digitalProduct.list, digitalProduct.object, 'state=draft', 'name'],
  ['events', eventResource.list, eventResource.object, 'state=draft', 'starts_at'],
  ['membership_plans', membershipPlan.list, membershipPlan.object, 'state=draft', 'name'],
  ['lecturers', lecturer.list, lecturer.object, 'visible=false', 'name'],
  ['pages', page.list, page.object, 'state=draft', 'slug'],
] as const;

interface List {
  readonly data: { readonly id: string; readonly slug: string }[];
  readonly page: { readonly next_cursor: string | null };
}

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
  await declare(api, {
    sites: [
      { site_id: api.sites[0].site_id, school: { name: 'Harbour', currency: 'TWD' }, ...DECLARED },
      { site_id: api.sites[1].site_id },
    ],
  });
});
afterAll(() => api.stop());

const list = async (path: string): Promise<List> => (await api.send<List>('GET', `/api/v1/${path}`)).body;
const slugs = async (path: string): Promise<string[]> => (await list(path)).data.map(({ slug }) => slug);

describe.each(COLLECTIONS)('GET /%s', (collection, listSchema, viewSchema, hidden, sort) => {
  it('lists objects, hidden ones too, filtered, sorted and by pages', async () => {
    const all = await list(`${collection}?sort=${sort}&include_total=true`);
    expect(listSchema.strict().parse(all)).toMatchObject({ page: { total_count: 2 } });
    expect(await slugs(`${collection}?sort=${sort}`)).toEqual(['a', 'b']);
    expect(await slugs(`${collection}?sort=-${sort}`)).toEqual(['b', 'a']);
    expect(await slugs(`${collection}?${hidden}`)).toEqual(['b']);
    expect(await slugs(`${collection}?created_at[gt]=2999-01-01T00:00:00Z`)).toEqual([]);
    const first = await list(`${collection}?sort=${sort}&limit=1`);
    const cursor = encodeURIComponent(first.page.next_cursor ?? '');
    expect(await slugs(`${collection}?sort=${sort}&limit=1&cursor=${cursor}`)).toEqual(['b']);
  });

  it('returns one by id, whole or in part, and 304 for a known tag', async () => {
    const [one] = (await list(`${collection}?sort=${sort}`)).data;
    const path = `/api/v1/${collection}/${one?.id}`;
    const { body, headers } = await api.send('GET', path);
    expect(viewSchema.strict().parse(body)).toMatchObject({ id: one?.id, slug: 'a' });
    expect((await api.send('GET', `${path}?fields=slug`)).body).toEqual({ slug: 'a' });
    const known = await api.send('GET', path, { headers: { 'if-none-match': headers['etag'] ?? '' } });
    expect(known.status).toBe(304);
  });

  it('is fenced by site and scope', async () => {
    const [one] = (await list(collection)).data;
    const site = api.sites[1];
    expect((await api.send<List>('GET', `/api/v1/${collection}`, { site })).body.data).toEqual([]);
    for (const id of [one?.id, '019ab3c0-0000-7000-8000-000000000000', 'x']) {
      expect((await api.send('GET', `/api/v1/${collection}/${id}`, { site })).status).toBe(404);
    }
    const token = await api.token('courses:read');
    for (const path of [collection, `${collection}/${one?.id}`]) {
      const refused = await api.send('GET', `/api/v1/${path}`, { token });
      expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope']);
    }
    const unknown = await api.send('GET', `/api/v1/${collection}?color=red`);
    expect([unknown.status, unknown.body['code']]).toEqual([400, 'unknown_parameter']);
  });
});

it.each(['digital_products', 'events', 'membership_plans', 'lecturers'])('finds %s by text', async (collection) => {
  expect(await slugs(`${collection}?q=B`)).toEqual(['b']);
  expect(await slugs(`${collection}?q=%25`)).toEqual([]);
});

it('hides the storage URLs of the files of a product', async () => {
  const { text } = await api.send('GET', '/api/v1/digital_products');
  expect(text).toContain('a.pdf');
  expect(text).not.toContain('files.example.com');
});

describe('GET /school', () => {
  it('returns the profile of the school of the site only', async () => {
    const { body, headers } = await api.send('GET', '/api/v1/school');
    expect(body).toMatchObject({
      id: api.sites[0].org_id,
      name: 'Harbour',
      url: api.sites[0].base_url,
      locale: 'en',
      support_url: null,
    });
    const known = await api.send('GET', '/api/v1/school', { headers: { 'if-none-match': headers['etag'] ?? '' } });
    expect(known.status).toBe(304);
    expect((await api.send('GET', '/api/v1/school?fields=name')).body).toEqual({ name: 'Harbour' });
    expect((await api.send('GET', '/api/v1/school', { site: api.sites[1] })).body).toMatchObject({ currency: null });
    const token = await api.token('courses:read');
    expect((await api.send('GET', '/api/v1/school', { token })).status).toBe(403);
  });
});
