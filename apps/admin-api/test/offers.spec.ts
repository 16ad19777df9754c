import { digitalProduct } from '#src/digital-products/digital-product.schema.js';
import { event as eventResource } from '#src/events/event.schema.js';
import { lecturer } from '#src/lecturers/lecturer.schema.js';
import { membershipPlan } from '#src/membership-plans/membership-plan.schema.js';
import { page } from '#src/pages/page.schema.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { declare } from './declare.js';
import { insertEvents } from './new-events.js';
import { newCourse } from './new-course.js';
import { newPage, publishedPage } from './new-page.js';
import { newMembershipPlan } from './new-membership-plan.js';
import { newProduct, publishedProduct } from './new-product.js';

const price = { amount_minor: 100, currency: 'TWD' };
const event = {
  hosting_type: 'zoom',
  join_url: 'https://meet.example.com/a',
  starts_at: '2999-01-01T00:00:00Z',
  ends_at: '2999-01-01T01:00:00Z',
};
/** One public and one hidden object of each collection. */
const EVENTS = [
  { ...event, slug: 'a', name: 'A', state: 'published', tickets: [{ name: 'Seat', price }] },
  { ...event, slug: 'b', name: 'B' },
];

const DECLARED = {
  lecturers: [
    { slug: 'a', name: 'A', email: 'a@private.example', visible: true },
    { slug: 'b', name: 'B' },
  ],
};

const COLLECTIONS = [
  ['digital_products', digitalProduct.list, digitalProduct.object],
  ['events', eventResource.list, eventResource.object],
  ['membership_plans', membershipPlan.list, membershipPlan.object],
  ['lecturers', lecturer.list, lecturer.object],
  ['pages', page.list, page.object],
] as const;

interface List {
  readonly data: { readonly id: string; readonly slug: string }[];
}

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
  const { id } = await newCourse(api, { slug: 'knots' });
  await newMembershipPlan(api, { slug: 'a', name: 'A', prices: [{ price }], course_ids: [id] });
  await newMembershipPlan(api, { slug: 'b', name: 'B', state: 'draft' });
  await publishedPage(api, { slug: 'a', title: 'A' });
  await newPage(api, { slug: 'b', title: 'B' });
  await declare(api, {
    sites: [
      { site_id: api.sites[0].site_id, school: { name: 'Harbour', currency: 'TWD' }, ...DECLARED },
      { site_id: api.sites[1].site_id },
    ],
  });
  await publishedProduct(api, { slug: 'a', name: 'A', price });
  await newProduct(api, { slug: 'b', name: 'B', price });
  await insertEvents(api, api.sites[0], EVENTS);
});
afterAll(() => api.stop());

const list = async (path: string): Promise<List> => (await api.send<List>('GET', `/api/v1/${path}`)).body;

it.each(COLLECTIONS)('shows hidden %s too, with the members of the schema alone', async (collection, listed, one) => {
  const { data } = listed.strict().parse(await list(collection));
  expect(data.map(({ slug }) => slug).toSorted()).toEqual(['a', 'b']);
  for (const { id } of data) {
    const { body } = await api.send('GET', `/api/v1/${collection}/${id}`);
    expect(one.strict().parse(body)).toMatchObject({ id });
  }
});

it.each(['digital_products', 'events', 'membership_plans', 'lecturers'])(
  'finds %s by text in any case',
  async (collection) => {
    expect((await list(`${collection}?q=B`)).data.map(({ slug }) => slug)).toEqual(['b']);
  },
);

it('returns the profile of the school of the site only', async () => {
  const { body } = await api.send('GET', '/api/v1/school');
  expect(body).toMatchObject({
    id: api.sites[0].org_id,
    name: 'Harbour',
    url: api.sites[0].base_url,
    locale: 'en',
    support_url: null,
  });
  expect((await api.send('GET', '/api/v1/school', { site: api.sites[1] })).body).toMatchObject({ currency: null });
});
