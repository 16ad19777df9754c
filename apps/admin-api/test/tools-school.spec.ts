import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { declare } from './declare.js';
import { deployed, live, newPage, publishedPage } from './new-page.js';
import { toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

let api: TestApi;
let call: ReturnType<typeof toolCaller>['call'];

beforeAll(async () => {
  api = await startAdminApi();
  ({ call } = toolCaller(api));
  await declare(api, {
    sites: [
      {
        site_id: api.sites[0].site_id,
        school: {
          name: 'Harbour',
          locale: 'zh-TW',
          timezone: 'Asia/Taipei',
          currency: 'TWD',
          contact_email: 'a@b.example',
        },
        lecturers: [
          {
            slug: 'mei',
            name: 'Mei',
            title: 'Skipper',
            bio_html: `<p>${'海'.repeat(1_000)}</p>`,
            email: 'mei@private.example',
            social_links: [{ network: 'web', url: 'https://mei.example.com' }],
            visible: true,
          },
          { slug: 'lin', name: 'Lin', visible: true },
          { slug: 'hidden', name: 'Hidden' },
        ],
      },
    ],
  });
});
afterAll(() => api.stop());

const there = () => ({ site: api.sites[1] });

describe('get_school_profile', () => {
  it('returns the profile of the school', async () => {
    expect(await call('get_school_profile', {})).toEqual({
      id: api.sites[0].org_id,
      name: 'Harbour',
      url: api.sites[0].base_url,
      locale: 'zh-TW',
      timezone: 'Asia/Taipei',
      currency: 'TWD',
      contact_email: 'a@b.example',
      support_url: null,
      legal: { name: null, terms_url: null, privacy_url: null },
    });
  });

  it('returns the name and the URL of a site without a profile', async () => {
    const profile = await call('get_school_profile', {}, there());
    expect(profile).toMatchObject({ name: expect.any(String), url: api.sites[1].base_url, currency: null });
    expect(await call('get_school_profile', { site: 'x' })).toMatchObject({ code: 'validation_failed' });
  });
});

describe('browse_lecturers', () => {
  it('lists visible lecturers by name without private members', async () => {
    const first = await call<Items>('browse_lecturers', { first: 1 });
    expect(first.items).toMatchObject([{ slug: 'lin', bio_html: null }]);
    const second = await call<Items>('browse_lecturers', { first: 1, after: first.next_cursor });
    expect(second).toMatchObject({
      items: [{ slug: 'mei', title: 'Skipper', social_links: [{ network: 'web', url: 'https://mei.example.com' }] }],
      next_cursor: null,
    });
    expect(String(second.items[0]?.['bio_html']).length).toBeLessThan(310);
    expect(JSON.stringify(second)).not.toContain('private.example');
    expect((await call<Items>('browse_lecturers', { q: 'ME' })).items).toMatchObject([{ slug: 'mei' }]);
    expect((await call<Items>('browse_lecturers', {}, there())).items).toEqual([]);
  });
});

describe('browse_page', () => {
  const files = (html: string) => ({ 'index.html': html });
  const about = '<html><head><style>p{}</style></head><body><h2>Hello</h2><script>no()</script></body></html>';
  beforeAll(async () => {
    await publishedPage(api, { slug: 'about', title: 'About us', files: files(about) });
    await publishedPage(api, { slug: 'long', files: files(`<p>${'長'.repeat(50_000)}</p>`) });
    const { id } = await newPage(api, { slug: 'draft' });
    await live(api, id, files('<p>Not yet</p>'));
  });

  it('reads the cleaned text of a published page', async () => {
    expect(await call('browse_page', { slug: 'about' })).toEqual({
      slug: 'about',
      title: 'About us',
      url: `${api.sites[0].base_url}/pages/about/`,
      content_html: '<h2>Hello</h2>',
      content_truncated: false,
      updated_at: expect.any(String),
    });
  });

  it('reads the live deployment, not a newer one', async () => {
    const { id } = await publishedPage(api, { slug: 'news', files: files('<p>Old</p>') });
    await deployed(api, id, files('<p>New</p>'));
    expect(await call('browse_page', { slug: 'news' })).toMatchObject({ content_html: '<p>Old</p>' });
    await live(api, id, files('<p>Newest</p>'));
    expect(await call('browse_page', { slug: 'news' })).toMatchObject({ content_html: '<p>Newest</p>' });
  });

  it('stays below 60 KB for any page', async () => {
    const page = await call('browse_page', { slug: 'long' });
    expect(page['content_truncated']).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(60_000);
  });

  it('returns not_found for drafts and for pages of another site', async () => {
    expect(await call('browse_page', { slug: 'draft' })).toMatchObject({ code: 'not_found' });
    expect(await call('browse_page', { slug: 'none' })).toMatchObject({ code: 'not_found' });
    expect(await call('browse_page', { slug: 'about' }, there())).toMatchObject({ code: 'not_found' });
  });
});
