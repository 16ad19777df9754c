import type { Page } from '@lyceum/testing';
import { SitesService } from '#src/sites/sites.service.js';
import type { SiteSettings } from '#src/sites/site.js';
import { baseOf, csrfOf, signedIn } from './admin-flow.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import type { Flow } from './flow.js';

let auth: TestAuth;
let owner: Flow;

beforeAll(async () => {
  auth = await startAuth();
  ({ flow: owner } = await signedIn(auth, '/admin'));
});
afterAll(() => auth.stop());

async function stored(site = auth.site): Promise<SiteSettings> {
  const found = await auth.app.get(SitesService).byId(site.site_id);
  if (found === undefined) throw new Error('The stage has it');
  return found.settings;
}
const changes = async (): Promise<number> =>
  (await auth.sql(`select 1 from audit_log where event = 'site.changed' and site_id = $1`, [auth.site.site_id])).length;

async function save(...on: string[]): Promise<Page> {
  return submit(await owner.browser.open('/admin/settings'), ...on);
}

/** Submits the form of a page, which may be stale. */
async function submit(page: Page, ...on: string[]): Promise<Page> {
  const fields = new URLSearchParams({ csrf: csrfOf(page), base: baseOf(page) });
  for (const name of on) fields.append('on', name);
  return owner.browser.open('/admin/settings', fields);
}

describe('The settings of a site', () => {
  it('switches who may connect, and nothing else', async () => {
    const before = await stored();
    const page = await save('cimd_open', 'mcp_connections', 'cimd_hosts', '__proto__');
    expect([page.url.pathname, page.body.includes('The settings are saved')]).toEqual(['/admin/settings', true]);
    const after = { loopback_registration: false, localhost_registration: false, cimd_open: true };
    expect(await stored()).toEqual({ ...before, ...after });
    expect(await stored(auth.other)).toMatchObject({ loopback_registration: true, cimd_open: false });
    const { body } = await owner.browser.open('/admin/audit?event=site.changed');
    expect(body).toContain('The owner changed the settings of the site:');
  });

  it('records nothing when the same settings are saved again', async () => {
    await save('loopback_registration');
    const before = await changes();
    await save('loopback_registration');
    expect([await changes(), (await stored()).loopback_registration]).toEqual([before, true]);
  });

  it('keeps the switches that another admin changed while the form was open', async () => {
    await save('cimd_open', 'sign_up');
    const stale = await owner.browser.open('/admin/settings');
    await save();
    expect((await submit(stale, 'cimd_open', 'sign_up', 'sign_in_links')).body).toContain('The settings are saved');
    expect(await stored()).toMatchObject({ cimd_open: false, sign_up: false, sign_in_links: true });
  });

  it('returns the current settings for a form without the values that it was made from', async () => {
    const before = await stored();
    const fields = new URLSearchParams({ csrf: csrfOf(await owner.browser.open('/admin/settings')), on: 'cimd_open' });
    const page = await owner.browser.open('/admin/settings', fields);
    expect([page.status, page.body.includes('Nothing was saved')]).toEqual([412, true]);
    expect(await stored()).toEqual(before);
  });

  it('refuses a form without its token, and a student', async () => {
    const before = await stored();
    expect((await owner.browser.open('/admin/settings', new URLSearchParams({ on: 'cimd_open' }))).status).toBe(403);
    const { flow, page } = await signedIn(auth, '/account', 'student');
    const fields = new URLSearchParams({ csrf: csrfOf(page) });
    for (const path of ['/admin/settings', '/admin/client-hosts', '/admin/client-hosts/remove'])
      expect((await flow.browser.open(path, fields)).status).toBe(404);
    expect(await stored()).toEqual(before);
  });
});

describe('The hosts of documents', () => {
  const post = async (path: string, host: string): Promise<Page> => {
    const csrf = csrfOf(await owner.browser.open('/admin/client-hosts'));
    return owner.browser.open(`/admin/client-hosts${path}`, new URLSearchParams({ csrf, host }));
  };

  it('adds a host once, and removes it', async () => {
    const before = (await stored()).cimd_hosts;
    for (const host of ['App.Example.com', ' app.example.com ']) await post('', host);
    expect((await stored()).cimd_hosts).toEqual([...before, 'app.example.com']);
    expect((await owner.browser.open('/admin/client-hosts')).body).toContain(
      '<span class="name host">app.example.com</span>',
    );
    for (const _twice of [1, 2]) expect((await post('/remove', 'app.example.com')).status).toBe(200);
    expect((await stored()).cimd_hosts).toEqual(before);
  });

  it.each([
    '',
    'https://app.example.com/x',
    'localhost',
    '127.0.0.1',
    'app.example.com:8443',
    'a\u202eb.example',
    '<script>alert(1)</script>',
    `${'x'.repeat(10_000)}.example`,
  ])('refuses the host %p beside its field', async (host) => {
    const before = await stored();
    const page = await post('', host);
    expect([page.status, page.body.includes('id="host-error-0"')]).toEqual([422, true]);
    expect(page.body).not.toContain('<script>alert');
    expect(await stored()).toEqual(before);
  });

  it('accepts 100 hosts and refuses one more', async () => {
    const cimd_hosts = Array.from({ length: 99 }, (_, n) => `h${n}.example.com`);
    await auth.app.get(SitesService).changeSettings(auth.site.site_id, () => ({ cimd_hosts }));
    expect((await post('', 'last.example.com')).status).toBe(200);
    const refused = await post('', 'more.example.com');
    expect([refused.status, refused.body.includes('100 hosts at most')]).toEqual([422, true]);
  });
});
