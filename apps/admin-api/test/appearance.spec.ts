import { NO_THEME } from '@lyceum/contracts';
import { MAX_REVISIONS, appearance, revision } from '#src/appearance/appearance.schema.js';
import { startAdminApi } from './admin-api.js';
import type { Asked, TestApi } from './admin-api.js';
import { unique } from './new-course.js';

const PATH = '/api/v1/appearance';
const REVISIONS = `${PATH}/revisions`;
const CDN = 'https://cdn.example.com';
let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const get = (asked?: Asked) => api.send('GET', PATH, asked);
const patch = (body: object, asked: Asked = {}) => api.send('PATCH', PATH, { body, ...asked });
const restore = (id: string, asked?: Asked) => api.send('POST', `${REVISIONS}/${id}/restore`, asked);
const revisions = async (query = '', asked?: Asked) =>
  revision.list.parse((await api.send('GET', `${REVISIONS}${query}`, asked)).body);

/** Sends an invalid change; returns pointers and codes of its errors. */
async function faults(body: object): Promise<unknown> {
  const response = await api.send('PATCH', `${PATH}?dry_run=true`, { body });
  if (response.status === 200) return 'taken';
  expect([response.status, response.body['code']]).toEqual([422, 'validation_failed']);
  return (response.body['errors'] as { pointer: string; code: string }[]).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );
}

describe('a site without settings', () => {
  it('returns the default appearance, which its entity tag allows to change', async () => {
    const site = api.sites[1];
    const { status, body, headers } = await get({ site });
    expect([status, headers['etag']]).toEqual([200, '"0"']);
    expect(appearance.object.strict().parse(body)).toEqual({
      theme: NO_THEME,
      logo_url: null,
      logo_file_id: null,
      favicon_url: null,
      favicon_file_id: null,
      navigation: [],
      footer: [],
      updated_at: null,
    });
    expect(await revisions('?include_total=true', { site })).toMatchObject({ data: [], page: { total_count: 0 } });
    const same = await patch({ theme: { accent_color: null } }, { site, headers: { 'if-match': '"0"' } });
    expect(same.body).toEqual(body);
    expect((await get({ site })).headers['etag']).toBe('"0"');
  });
});

describe('changing the appearance', () => {
  it('merges members of the theme and publishes an event', async () => {
    const theme = { background_color: '#E9EFF2', accent_color: '#0b5c86', corners: 'small' };
    const first = await patch(
      { theme, logo_url: `${CDN}/logo.svg`, navigation: [{ label: ' Courses ', url: '/courses' }] },
      { headers: { 'content-type': 'application/merge-patch+json' } },
    );
    expect(first.status).toBe(200);
    expect(appearance.object.strict().parse(first.body)).toMatchObject({
      theme: { ...NO_THEME, ...theme, background_color: '#e9eff2' },
      logo_url: `${CDN}/logo.svg`,
      navigation: [{ label: 'Courses', url: '/courses' }],
    });
    const second = await patch({ theme: { corners: null, font_family: 'serif' }, logo_url: null });
    expect(second.body).toMatchObject({
      theme: { accent_color: '#0b5c86', corners: null, font_family: 'serif' },
      logo_url: null,
      navigation: [{ label: 'Courses', url: '/courses' }],
    });
    const { updated_at: _at, logo_file_id: _logo, favicon_file_id: _icon, ...settings } = second.body;
    expect((await api.events.of([api.sites[0].site_id], 2)).slice(-2)).toMatchObject([
      { type: 'school.appearance.updated.v1', site_id: api.sites[0].site_id },
      { type: 'school.appearance.updated.v1', data: { site_id: api.sites[0].site_id, ...settings } },
    ]);
  });

  it('returns 304 until the appearance changes', async () => {
    const { headers, body } = await patch({ footer: [{ label: unique('f'), url: '/' }] });
    const again = await get();
    expect([again.headers['etag'], again.body]).toEqual([headers['etag'], body]);
    expect(again.headers['cache-control']).toBe('private, no-cache');
    const known = { headers: { 'if-none-match': headers['etag'] ?? '' } };
    expect((await get(known)).status).toBe(304);
    await patch({ footer: null });
    expect((await get(known)).status).toBe(200);
    const some = await api.send('GET', `${PATH}?fields=theme,footer`);
    expect(Object.keys(some.body)).toEqual(['theme', 'footer']);
    expect((await api.send('GET', `${PATH}?fields=custom_css`)).body['code']).toBe('invalid_request');
  });

  it('honors If-Match and adds no revision without a change', async () => {
    const tag = (await get()).headers['etag'] ?? '';
    const headers = { 'if-match': tag };
    const footer = [{ label: unique('f'), url: '/' }];
    const changed = await patch({ footer }, { headers });
    expect(changed.status).toBe(200);
    const stale = await patch({ footer: [] }, { headers });
    expect([stale.status, stale.body['code']]).toEqual([412, 'precondition_failed']);
    const before = await revisions();
    expect((await patch({ footer })).headers['etag']).toBe(changed.headers['etag']);
    expect(await revisions()).toEqual(before);
  });

  it('changes nothing in a dry run, and once under one key', async () => {
    const before = await get();
    const footer = [{ label: unique('f'), url: '/' }];
    const dryRun = await api.send('PATCH', `${PATH}?dry_run=true`, { body: { footer } });
    expect([dryRun.status, dryRun.headers['dry-run'], dryRun.body['footer']]).toEqual([200, 'true', footer]);
    expect((await get()).body).toEqual(before.body);
    const headers = { 'idempotency-key': unique('key') };
    const first = await patch({ footer }, { headers });
    await patch({ footer: [] });
    const replay = await patch({ footer }, { headers });
    expect([replay.body, replay.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    expect((await get()).body['footer']).toEqual([]);
    expect((await patch({ footer: null }, { headers })).body['code']).toBe('idempotency_key_reused');
  });

  it('refuses colors with a contrast below 4.5:1, with their ratio', async () => {
    await patch({ theme: null });
    expect(await faults({ theme: { accent_color: '#767676' } })).toBe('taken');
    const refused = await patch({ theme: { accent_color: '#777777' } });
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { errors: [{ pointer: '/theme/accent_color', code: 'low_contrast', detail: expect.stringContaining('4.47:1') }] },
    ]);
    // The current accent has too little contrast on it.
    await patch({ theme: { accent_color: '#767676' } });
    expect(await faults({ theme: { surface_color: '#cccccc' } })).toEqual(['/theme/surface_color low_contrast']);
    const dark = { background_color: '#101014', surface_color: '#1a1a20', text_color: '#f3f3f6' };
    expect(await faults({ theme: { ...dark, accent_color: '#a9c4ff' } })).toBe('taken');
    await patch({ theme: null });
  });

  it.each([
    [
      'a color that is style',
      { theme: { accent_color: 'red;} body{display:none' } },
      '/theme/accent_color invalid_format',
    ],
    ['a color by name', { theme: { accent_color: 'red' } }, '/theme/accent_color invalid_format'],
    ['a color with more behind it', { theme: { text_color: '#000000;}' } }, '/theme/text_color invalid_format'],
    ['a color with a line behind it', { theme: { text_color: '#000000\n' } }, '/theme/text_color invalid_format'],
    ['a font of somebody else', { theme: { font_family: 'Comic Sans' } }, '/theme/font_family invalid_value'],
    ['corners in pixels', { theme: { corners: '4px' } }, '/theme/corners invalid_value'],
    ['a member that is not there', { theme: { shadow: 1 } }, '/theme/shadow unknown_member'],
    ['style of its own', { custom_css: 'body{}' }, '/custom_css unknown_member'],
    ['a file that is missing', { logo_file_id: '019ab3c0-0000-7000-8000-000000000000' }, '/logo_file_id not_found'],
    [
      'a link with more to it',
      { footer: [{ label: 'x', url: '/', target: '_blank' }] },
      '/footer/0/target unknown_member',
    ],
    ['a link without a name', { footer: [{ label: ' ', url: '/' }] }, '/footer/0/label too_small'],
  ])('refuses %s', async (_what, body, fault) => {
    expect(await faults(body)).toEqual([fault]);
  });

  it.each([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    'http://cdn.example.com/logo.svg',
    '//cdn.example.com/logo.svg',
    '/logo.svg',
    'https://user:secret@cdn.example.com/logo.svg',
    'https://user@cdn.example.com/logo.svg',
    'https://x.test;script-src *',
    "https://x.test;script-src'unsafe-inline'",
    'https://x.test/"><script>alert(1)</script>',
    'https://x.test/ onerror=alert(1)',
    'https:\\\\x.test/logo.svg',
    'https://127.0.0.1/logo.svg',
    'https://localhost/logo.svg',
  ])('refuses %j as a picture', async (url) => {
    expect(await faults({ logo_url: url, favicon_url: url })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\/logo_url invalid_/),
        expect.stringMatching(/^\/favicon_url invalid_/),
      ]),
    );
  });

  it.each([
    'javascript:alert(1)',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'courses',
    'https://a@b.example/',
    '/a b',
  ])('refuses a link to %j', async (url) => {
    expect(await faults({ navigation: [{ label: 'x', url }] })).toEqual(['/navigation/0/url invalid_value']);
  });

  it.each([
    ['the longest picture', (n: number) => ({ logo_url: `${CDN}/${'x'.repeat(n - CDN.length - 1)}` }), 2_048],
    ['the longest name of a link', (n: number) => ({ footer: [{ label: 'x'.repeat(n), url: '/' }] }), 60],
    ['the longest path', (n: number) => ({ footer: [{ label: 'x', url: `/${'x'.repeat(n - 1)}` }] }), 500],
    [
      'the longest link',
      (n: number) => ({ footer: [{ label: 'x', url: `${CDN}/${'x'.repeat(n - CDN.length - 1)}` }] }),
      500,
    ],
    ['the most of navigation', (n: number) => ({ navigation: Array(n).fill({ label: 'x', url: '/' }) }), 12],
    ['the most of the footer', (n: number) => ({ footer: Array(n).fill({ label: 'x', url: '/' }) }), 20],
  ])('accepts %s and no more', async (_what, of, limit) => {
    expect(await faults(of(limit))).toBe('taken');
    expect(await faults(of(limit + 1))).not.toBe('taken');
  });
});

it('stores a picture without the line breaks that browsers ignore', async () => {
  const { body } = await api.send('PATCH', `${PATH}?dry_run=true`, { body: { logo_url: `${CDN}/a\n/b.svg` } });
  expect(body['logo_url']).toBe(`${CDN}/a/b.svg`);
});

describe('revisions', () => {
  it('lists revisions by page, the newest first, with their authors', async () => {
    const labels = [unique('a'), unique('b'), unique('c')];
    for (const label of labels) await patch({ footer: [{ label, url: '/' }] });
    const first = await revisions('?limit=2');
    expect(first.data.map(({ footer }) => footer[0]?.label)).toEqual([labels[2], labels[1]]);
    expect(first.data[0]).toMatchObject({
      member_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id: expect.stringContaining('operator'),
      restored_from: null,
    });
    const second = await revisions(`?limit=2&cursor=${first.page.next_cursor}`);
    expect(second.data[0]?.footer[0]?.label).toBe(labels[0]);
    const foreign = await api.send('GET', `${REVISIONS}?limit=2&cursor=${first.page.next_cursor}`, {
      site: api.sites[1],
    });
    expect(foreign.body['code']).toBe('invalid_cursor');
    const { data, page } = await revisions('?limit=100&include_total=true');
    expect(page.total_count).toBe(data.length);
    expect(data.length).toBeLessThanOrEqual(MAX_REVISIONS);
  });

  it('restores a revision as a whole, as a new revision', async () => {
    await patch({ theme: { accent_color: '#7a1f1f' }, footer: [{ label: 'Then', url: '/then' }] });
    const [then] = (await revisions('?limit=1')).data;
    const later = await patch({ theme: null, footer: null, logo_url: `${CDN}/later.svg` });
    const id = then?.id ?? '';
    const dryRun = await api.send('POST', `${REVISIONS}/${id}/restore?dry_run=true`);
    expect(dryRun.body['footer']).toEqual(then?.footer);
    expect((await get()).body).toEqual(later.body);
    const stale = await restore(id, { headers: { 'if-match': '"1"' } });
    expect([stale.status, stale.body['code']]).toEqual([412, 'precondition_failed']);
    const back = await restore(id, { headers: { 'if-match': later.headers['etag'] ?? '' } });
    expect([back.status, back.body]).toMatchObject([200, { theme: then?.theme, footer: then?.footer, logo_url: null }]);
    const [newest] = (await revisions('?limit=1')).data;
    expect(newest).toMatchObject({ restored_from: id, theme: then?.theme });
    // The site has these settings already.
    expect((await restore(id)).headers['etag']).toBe(back.headers['etag']);
  });

  it('restores without a body and only existing revisions', async () => {
    const [revision] = (await revisions('?limit=1')).data;
    const id = revision?.id ?? '';
    expect((await restore(id, { body: { all: true } })).body).toMatchObject({ errors: [{ pointer: '/all' }] });
    for (const missing of ['019ab3c0-0000-7000-8000-000000000000', 'x']) {
      expect((await restore(missing)).status).toBe(404);
    }
  });
});

describe('another site', () => {
  it('hides the revisions of the first site from another site', async () => {
    const site = api.sites[1];
    await patch({ footer: [{ label: unique('ours'), url: '/' }] });
    const [revision] = (await revisions('?limit=1')).data;
    const before = (await get({ site })).body;
    expect(before['footer']).toEqual([]);
    expect((await revisions('', { site })).data).toEqual([]);
    expect((await restore(revision?.id ?? '', { site })).status).toBe(404);
    expect((await get({ site })).body).toEqual(before);
  });

  it('requires the read scope to read and the write scope to change', async () => {
    const [read, write] = [await api.token('appearance:read'), await api.token('appearance:write')];
    expect((await get({ token: read })).status).toBe(200);
    expect((await patch({}, { token: write })).status).toBe(200);
    for (const refused of [await get({ token: write }), await patch({}, { token: read })]) {
      expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope']);
    }
  });
});
