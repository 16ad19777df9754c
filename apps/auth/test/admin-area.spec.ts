import { SitesService } from '#src/sites/sites.service.js';
import { CALLBACK, startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
  await connections(true);
});
afterAll(() => auth.stop());

/** Sets the beta feature "MCP connections", and reads the site again at once for another host. */
async function connections(mcp_connections: boolean): Promise<void> {
  await auth.app.get(SitesService).changeSettings(auth.site.site_id, () => ({ mcp_connections }));
}

async function at(path: string, name = 'owner', site: TestSite = auth.site) {
  const flow = new Flow(auth, site);
  return { flow, page: await flow.signIn(await flow.browser.open(path), name) };
}

/** The site shows changes within seconds. */
async function applications(name = 'owner') {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const found = await at('/admin/applications', name);
    if (found.page.status === 200) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The page did not appear');
}
const text = (body: string, id: string): string => new RegExp(`id="${id}">([^<]+)<`).exec(body)?.[1] ?? '';

async function created(fields: Record<string, string> = {}) {
  const { flow, page } = await applications();
  const form = {
    name: 'Study helper',
    redirect_uris: CALLBACK,
    kind: 'confidential',
    scope: 'account:read',
    ...fields,
  };
  return { flow, page: await flow.submit(page, 'redirect_uris', form) };
}

describe('OAuth applications in the admin area', () => {
  it('creates an application that works for a student, shows its secret once, and ends with its deletion', async () => {
    const { flow, page } = await created();
    const [client_id, client_secret] = [text(page.body, 'client_id'), text(page.body, 'client_secret')];
    expect([client_id, client_secret]).toEqual([
      expect.stringMatching(/^[\w-]{43}$/),
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
    const client = { client_id, client_secret, scope: 'account:read' };
    const { access_token } = await new Flow(auth).tokens(client, 'student');
    const list = await flow.browser.open('/admin/applications');
    expect(list.body).toContain(client_id);
    expect(list.body).not.toContain(client_secret);
    const after = await flow.submit(list, 'client_id', {});
    expect([after.url.pathname, after.body.includes(client_id)]).toEqual(['/admin/applications', false]);
    expect(await flow.isActive(access_token)).toBe(false);
    const acts = await auth.sql<{ act: string; email: string }>(
      `SELECT details->>'act' AS act, p.email FROM audit_log JOIN people p USING (person_id)
        WHERE event = 'operator.acted' AND client_id = $1 ORDER BY audit_id`,
      [client_id],
    );
    expect(acts).toEqual([
      { act: 'client.created', email: 'owner@school.example' },
      { act: 'client.deleted', email: 'owner@school.example' },
    ]);
  });

  it.each([
    ['no name', { name: ' ' }],
    ['a name of control characters', { name: 'a\u0007b' }],
    ['a redirect URI over plain http', { redirect_uris: 'http://app.example/cb' }],
    ['a script for a redirect URI', { redirect_uris: 'javascript:alert(1)' }],
    ['an operator scope', { scope: 'courses:write' }],
    ['no scope of the account', { scope: 'openid' }],
  ])('refuses an application with %s', async (_what, fields) => {
    const { page } = await created(fields);
    expect([page.status, page.body.includes('role="alert"')]).toEqual([422, true]);
  });

  it('escapes the name of an application', async () => {
    const { flow } = await created({ name: '<script>alert(1)</script>"\'' });
    const { body } = await flow.browser.open('/admin/applications');
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;');
  });
});

describe('The admin area', () => {
  const PATHS = ['/admin', '/admin/applications', '/admin/reviews', '/admin/activity', '/admin/audit'];

  it.each(['student', 'lecturer'])('returns 404 for a %s, as for an unknown page', async (name) => {
    const { flow } = await at('/account', name);
    const responses = await Promise.all([...PATHS, '/admin'].map((path) => flow.browser.open(path)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(404);
  });

  it('redirects an anonymous visitor to the sign-in and back', async () => {
    const { page } = await at('/admin/audit', 'admin');
    expect([page.status, page.url.pathname]).toEqual([200, '/admin/audit']);
  });

  it('refuses an admin form without the token of its session', async () => {
    const { flow } = await applications();
    const fields = new URLSearchParams({ name: 'x', redirect_uris: CALLBACK, scope: 'account:read' });
    expect((await flow.browser.open('/admin/applications', fields)).status).toBe(403);
    const other = await applications('admin');
    fields.set('csrf', /name="csrf" value="([^"]+)"/.exec(other.page.body)?.[1] ?? '');
    expect((await flow.browser.open('/admin/applications', fields)).status).toBe(403);
  });

  it('pages through the audit log of this site only', async () => {
    await auth.sql(
      `INSERT INTO audit_log (event, site_id, details) SELECT 'sign_in.failed', $1, jsonb_build_object('n', n) FROM generate_series(1, 120) n`,
      [auth.site.site_id],
    );
    await auth.sql(
      `INSERT INTO audit_log (event, site_id, client_id) VALUES ('client.created', $1, 'foreign-client')`,
      [auth.other.site_id],
    );
    const { flow } = await at('/admin/audit');
    const seen: string[] = [];
    for (let path: string | undefined = '/admin/audit'; path !== undefined;) {
      const { body } = await flow.browser.open(path);
      const numbers = [...body.matchAll(/&quot;n&quot;:(\d+)/g)].map(([, n]) => n ?? '');
      expect(body).not.toContain('foreign-client');
      expect(body.match(/<time/g)?.length ?? 0).toBeLessThanOrEqual(50);
      seen.push(...numbers);
      path = /rel="next" href="([^"]+)"/.exec(body)?.[1];
    }
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
    expect((await flow.browser.open("/admin/audit?before='%00")).status).toBe(200);
  });

  it('approves and blocks a client by document at this site and no other', async () => {
    const insert = (client_id: string, site_id: string) =>
      auth.sql(
        `WITH c AS (INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes, review)
           VALUES ($1, $2, '<b>Doc</b>', 'operator', 'document', '{https://app.example/cb}', '{openid}', 'unreviewed') RETURNING client_key)
         INSERT INTO client_documents (client_key, expires_at) SELECT client_key, now() + interval '1 hour' FROM c`,
        [client_id, site_id],
      );
    await insert('https://app.example/client', auth.site.site_id);
    await insert('https://other.example/client', auth.other.site_id);
    const { flow, page } = await at('/admin/reviews');
    expect(page.body).toContain('app.example');
    expect(page.body).not.toContain('other.example');
    expect(page.body).not.toContain('<b>Doc</b>');
    const state = async (id: string) =>
      (await auth.sql<{ review: string }>('SELECT review FROM clients WHERE client_id = $1', [id]))[0]?.review;
    await flow.submit(page, 'review', { review: 'approved' });
    expect(await state('https://app.example/client')).toBe('approved');
    await flow.submit(page, 'review', { review: 'blocked' });
    expect(await state('https://app.example/client')).toBe('blocked');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const form = { csrf, review: 'blocked', client_id: 'https://other.example/client' };
    const foreign = await flow.browser.open('/admin/reviews', new URLSearchParams(form));
    expect([foreign.status, await state('https://other.example/client')]).toEqual([404, 'unreviewed']);
    expect((await flow.submit(page, 'review', { review: 'loved' })).status).toBe(404);
  });

  it('hides applications while the beta feature is off', async () => {
    const { flow } = await applications();
    await connections(false);
    let status = 200;
    for (let attempt = 0; attempt < 100 && status === 200; attempt += 1) {
      status = (await flow.browser.open('/admin/applications')).status;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(status).toBe(404);
    expect((await flow.browser.open('/admin')).body).not.toContain('OAuth applications');
  });
});
