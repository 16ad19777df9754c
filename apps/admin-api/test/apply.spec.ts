import { applyCommand } from '#src/seed/apply.command.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { declare } from './declare.js';
import { newCourse } from './new-course.js';

const SOMEBODY = '0199f6a0-0000-7000-8000-00000000aaaa';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const apply = (declaration: unknown): Promise<void> => declare(api, declaration);

const get = async (path: string) => (await api.send<{ data: Record<string, unknown>[] }>('GET', path)).body.data;

const declaration = () => ({
  sites: [
    {
      site_id: api.sites[0].site_id,
      school: { name: 'Harbour', currency: 'TWD' },
      lecturers: [{ slug: 'mei', name: 'Mei', visible: true }],
      pages: [{ slug: 'about', title: 'About us', state: 'published', content_html: '<p>We paint.</p>' }],
      membership_plans: [
        { slug: 'all', name: 'All', plan_type: 'lifetime', state: 'active', courses: ['watercolor', 'none'] },
      ],
    },
    { site_id: api.sites[1].site_id },
  ],
});

describe('apply', () => {
  it('creates declared objects and changes nothing the second time', async () => {
    const { id } = await newCourse(api, { slug: 'watercolor' });
    await apply(declaration());
    const shown = async () => ({
      school: (await api.send('GET', '/api/v1/school')).body,
      lecturers: await get('/api/v1/lecturers'),
      pages: await get('/api/v1/pages'),
      plans: await get('/api/v1/membership_plans'),
    });
    const plan = async () =>
      (await api.send('GET', `/api/v1/membership_plans/${String((await shown()).plans[0]?.['id'])}`)).body;
    const first = await shown();
    expect(first).toMatchObject({
      school: { name: 'Harbour' },
      lecturers: [{ slug: 'mei' }],
      pages: [{ slug: 'about' }],
      plans: [{ slug: 'all' }],
    });
    expect(await plan()).toMatchObject({ course_ids: [id] });
    await apply(declaration());
    expect(await shown()).toEqual(first);
  });

  it('sets the appearance of a site unless an operator has set one', async () => {
    const shown = async () => (await api.send('GET', '/api/v1/appearance')).body;
    const [{ site_id }] = api.sites;
    const declared = { theme: { accent_color: '#2f6b2f' } };
    await apply({ sites: [{ site_id, appearance: declared }] });
    expect(await shown()).toMatchObject(declared);
    await api.send('PATCH', '/api/v1/appearance', { body: { theme: null } });
    await apply({ sites: [{ site_id, appearance: declared }] });
    expect(await shown()).toMatchObject({ theme: { accent_color: null } });
  });

  it.each([
    [
      'a missing digital product',
      { holdings: { members: [{ person_id: SOMEBODY, since: '2026-01-01T00:00:00Z', digital_products: ['none'] }] } },
      /no digital product "none"/,
    ],
    [
      'a missing event',
      { holdings: { members: [{ person_id: SOMEBODY, since: '2026-01-01T00:00:00Z', events: ['none'] }] } },
      /no event "none"/,
    ],
    ['an unknown member', { people: [] }, /unrecognized/i],
    ['a course, which the operator API creates', { courses: [] }, /unrecognized/i],
  ])('refuses a declaration that names %s', async (_what, part, message) => {
    await expect(apply({ sites: [{ site_id: api.sites[0].site_id, ...part }] })).rejects.toThrow(message);
  });

  it('publishes purchases of members, and the same events in a second run', async () => {
    const person_id = SOMEBODY;
    const times = { starts_at: '2035-01-01T10:00:00Z', ends_at: '2035-01-01T11:00:00Z' };
    const offers = {
      digital_products: [{ slug: 'pack', name: 'Pack', price: { amount_minor: 100, currency: 'EUR' } }],
      events: [{ slug: 'day', name: 'Day', hosting_type: 'zoom', ...times }],
    };
    const holdings = {
      consulting_services: [{ slug: 'talk', name: 'Talk', timezone: 'Asia/Seoul' }],
      members: [
        {
          person_id,
          since: '2026-01-01T00:00:00Z',
          digital_products: ['pack'],
          consulting_services: [{ slug: 'talk', sessions_total: 2, bookings: [times] }],
          events: ['day'],
        },
      ],
    };
    const [site] = declaration().sites;
    await apply({ sites: [{ ...site, ...offers, holdings }] });
    const first = await api.events.ofPerson(person_id, 4);
    expect(first.map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([
      ['school.digital_product_grant.granted.v1', 1],
      ['school.consulting_purchase.granted.v1', 1],
      ['school.consulting_meeting.booked.v1', 1],
      ['school.event_registration.registered.v1', 1],
    ]);
    await apply({ sites: [{ ...site, ...offers, holdings }] });
    const both = await api.events.ofPerson(person_id, 8);
    const facts = both.map(({ type, aggregate_id, aggregate_version, data }) => ({
      type,
      aggregate_id,
      aggregate_version,
      data,
    }));
    expect(facts.slice(4)).toEqual(facts.slice(0, 4));
    expect(new Set(facts.map(({ aggregate_id }) => aggregate_id)).size).toBe(4);
    // Purchases refer to the objects of the site by their ids.
    const [product] = await get('/api/v1/digital_products?q=pack');
    const [event] = await get('/api/v1/events?q=day');
    expect(first.map(({ data }) => data['digital_product_id'] ?? data['event_id'])).toEqual(
      [product, undefined, undefined, event].map((row) => row?.['id']),
    );
  });

  it('requires a file', async () => {
    await expect(applyCommand.run(api.config, [])).rejects.toThrow('path');
  });
});
