import { eventually } from '@lyceum/testing';
import { SitesService } from '#src/sites/sites.service.js';
import { SOON_SEEN, CALLBACK, startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth({ environment: SOON_SEEN });
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
async function applications(name = 'owner', path = '/admin/applications') {
  return eventually(
    () => at(path, name),
    ({ page }) => page.status === 200,
  );
}
const stored = async (): Promise<number> =>
  (await auth.sql(`SELECT 1 FROM clients WHERE source = 'site' AND deleted_at IS NULL`)).length;
const text = (body: string, id: string): string => new RegExp(`id="${id}">([^<]+)<`).exec(body)?.[1] ?? '';

async function created(fields: Record<string, string> = {}) {
  const { flow, page } = await applications('owner', '/admin/new-application?for=member');
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
    const asked = await flow.browser.open(`/admin/applications/${client_id}/delete`);
    expect(asked.body).toContain('<h1>Delete Study helper?</h1>');
    expect(await flow.isActive(access_token)).toBe(true);
    const after = await flow.submit(asked, 'client_id', {});
    expect([after.url.pathname, after.body.includes(client_id)]).toEqual(['/admin/applications', false]);
    expect(after.body).toContain('Study helper is deleted');
    expect(await flow.isActive(access_token)).toBe(false);
    const again = await flow.submit(asked, 'client_id', {});
    expect([again.status, again.url.pathname]).toEqual([200, '/admin/applications']);
    const acts = await auth.sql<{ event: string; email: string | null }>(
      `SELECT event, p.email FROM audit_log LEFT JOIN people p USING (person_id)
        WHERE event IN ('client.created', 'client.deleted') AND client_id = $1 ORDER BY audit_id`,
      [client_id],
    );
    expect(acts).toEqual([
      { event: 'client.created', email: 'owner@school.example' },
      { event: 'client.deleted', email: 'owner@school.example' },
    ]);
  });

  it('shows the secret on the first page only, and creates nothing when a page is loaded again', async () => {
    const before = await stored();
    const { flow, page } = await created();
    const secret = text(page.body, 'client_secret');
    expect([page.status, secret.length]).toEqual([200, 43]);
    expect(page.url.href).not.toContain(secret);
    const again = await flow.browser.open(page.url);
    expect([again.status, again.body.includes(secret)]).toEqual([200, false]);
    expect(again.body).toContain('Shown once, when it was made');
    expect(await stored()).toBe(before + 1);
    const [kept] = await auth.sql<{ found: boolean }>(
      `SELECT bool_or(position($1::bytea IN sealed_secret) > 0) AS found FROM form_submissions`,
      [Buffer.from(secret)],
    );
    expect(kept?.found).toBe(false);
  });

  it('creates one application when a form is sent twice, at the same time and later', async () => {
    const { flow, page } = await applications('owner', '/admin/new-application?for=member');
    const before = await stored();
    const form = { name: 'Twice', redirect_uris: CALLBACK, kind: 'confidential', scope: 'account:read' };
    const sent = await Promise.all(Array.from({ length: 4 }, () => flow.submit(page, 'redirect_uris', form)));
    const addresses = new Set(sent.map(({ url }) => url.pathname));
    expect([addresses.size, await stored()]).toEqual([1, before + 1]);
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const later = await flow.submit(page, 'redirect_uris', form);
    // A double click drops the first response, so the secret is on the page of the second.
    expect(text(later.body, 'client_secret')).toHaveLength(43);
    await auth.sql(`UPDATE form_submissions SET shown_at = now() - interval '1 minute'`);
    const latest = await flow.submit(page, 'redirect_uris', form);
    expect([latest.url.pathname, text(latest.body, 'client_secret')]).toEqual([later.url.pathname, '']);
    expect(await stored()).toBe(before + 1);
  });

  it('shows a secret to no other session and not after ten minutes', async () => {
    const { flow, page } = await applications('owner', '/admin/new-application?for=member');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const cookie = flow.browser.cookiesFor('/admin');
    const create = async (): Promise<string> => {
      const form = { csrf, name: 'Kept', redirect_uris: CALLBACK, kind: 'confidential', scope: 'account:read' };
      const { status, headers } = await flow.post('/admin/applications', form, { cookie });
      expect(status).toBe(303);
      return headers.get('location') ?? '';
    };
    const [one, other] = [await create(), await create()];
    const elsewhere = await at(one);
    expect([elsewhere.page.status, text(elsewhere.page.body, 'client_secret')]).toEqual([200, '']);
    expect(text((await flow.browser.open(one)).body, 'client_secret')).toHaveLength(43);
    await auth.sql('UPDATE form_submissions SET expires_at = now()');
    expect(text((await flow.browser.open(other)).body, 'client_secret')).toBe('');
  });

  it('lists the applications of members and operators in two groups, each with its own sentence', async () => {
    const { body } = (await applications()).page;
    const [before = '', ofMembers = '', ofOperators = ''] = body.split(/<h2>For (?:members|operators)<\/h2>/);
    expect(before).not.toContain('student');
    expect(ofMembers).toContain('including students');
    expect([ofMembers.includes('first-member'), ofMembers.includes('first-operator')]).toEqual([true, false]);
    expect([ofOperators.includes('first-operator'), ofOperators.includes('students')]).toEqual([true, false]);
    expect(body).not.toContain('<textarea');
  });

  it('pages through the applications by 50, each once', async () => {
    const { flow } = await applications();
    await auth.sql(
      `insert into clients (client_id, site_id, name, audience, source, redirect_uris, scopes)
       select 'paged-' || n, $1, 'Paged ' || n, 'member', 'site', '{https://app.example/cb}', '{account:read}'
         from generate_series(1, 120) n`,
      [auth.site.site_id],
    );
    const seen: string[] = [];
    for (let path: string | undefined = '/admin/applications'; path !== undefined;) {
      const { body } = await flow.browser.open(path);
      const items = [...body.matchAll(/<code>(paged-\d+)<\/code>/g)].map(([, id]) => id ?? '');
      expect(body.match(/class="item"/g)?.length ?? 0).toBeLessThanOrEqual(50);
      seen.push(...items);
      path = /rel="next" href="([^"]+)"/.exec(body)?.[1];
    }
    expect([new Set(seen).size, seen.length]).toEqual([120, 120]);
    expect((await flow.browser.open('/admin/applications?after=x')).status).toBe(200);
    const end = await flow.browser.open('/admin/applications?after=00000000-0000-0000-0000-000000000000');
    expect(end.body).toContain('No more applications.');
    await auth.sql(`delete from clients where client_id like 'paged-%'`);
  });

  it.each(['second-member', 'unknown', '%00', '..%2f..%2foauth', 'x'.repeat(256)])(
    'returns 404 for each page of the application %s',
    async (client_id) => {
      const { flow } = await applications();
      for (const path of ['', '/delete', '/edit', '/rotate', '/end-secret'])
        expect((await flow.browser.open(`/admin/applications/${client_id}${path}`)).status).toBe(404);
    },
  );

  it.each([
    ['no name', { name: ' ' }],
    ['a name of control characters', { name: 'a\u0007b' }],
    ['a name that changes the direction', { name: 'a\u202eb' }],
    ['a name with a zero-width space', { name: 'a\u200bb' }],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }],
    ['a redirect URI over plain http', { redirect_uris: 'http://app.example/cb' }],
    ['a script for a redirect URI', { redirect_uris: 'javascript:alert(1)' }],
    ['an operator scope', { scope: 'courses:write' }],
    ['no scope of the account', { scope: 'openid' }],
  ])('refuses an application with %s', async (_what, fields) => {
    const { page } = await created(fields);
    expect([page.status, page.body.includes('role="alert"')]).toEqual([422, true]);
  });

  it('refuses duplicated fields of a new application, and another token of the form for its duplicate', async () => {
    const { flow, page } = await applications('owner', '/admin/new-application?for=member');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const before = await stored();
    const form = { csrf, form: 'x'.repeat(5_000), name: 'Once', redirect_uris: CALLBACK, scope: 'account:read' };
    for (const name of ['csrf', 'form', 'name', 'redirect_uris']) {
      const fields = new URLSearchParams(form);
      fields.append(name, 'again');
      expect((await flow.browser.open('/admin/applications', fields)).status).toBe(400);
    }
    expect(await stored()).toBe(before);
    for (const token of [form.form, form.form, '<script>'])
      await flow.browser.open('/admin/applications', new URLSearchParams({ ...form, form: token }));
    expect(await stored()).toBe(before + 2);
  });

  it('escapes the name of an application', async () => {
    const { flow } = await created({ name: '<script>alert(1)</script>"\'' });
    const { body } = await flow.browser.open('/admin/applications');
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;');
  });
});

describe('The admin area', () => {
  const PATHS = [
    '/admin',
    '/admin/applications',
    '/admin/new-application',
    '/admin/people',
    '/admin/invite',
    '/admin/clients',
    '/admin/client-hosts',
    '/admin/settings',
    '/admin/activity',
    '/admin/audit',
    '/admin/mcp-connections',
    '/admin/mcp-connections/off',
  ];

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
      `INSERT INTO audit_log (event, site_id, details) SELECT 'sign_in.failed', $1, jsonb_build_object('source', n) FROM generate_series(1, 120) n`,
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
      const numbers = [...body.matchAll(/from (\d+) · /g)].map(([, n]) => n ?? '');
      expect(body).not.toContain('foreign-client');
      expect(body.match(/<time/g)?.length ?? 0).toBeLessThanOrEqual(50);
      seen.push(...numbers);
      path = /rel="next" href="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
    expect((await flow.browser.open("/admin/audit?before='%00")).status).toBe(200);
  });

  it('hides applications while the beta feature is off', async () => {
    const { flow } = await applications();
    await connections(false);
    const { status } = await eventually(
      () => flow.browser.open('/admin/applications'),
      (page) => page.status !== 200,
    );
    expect(status).toBe(404);
    const { body } = await flow.browser.open('/admin');
    expect(body).not.toContain('href="/admin/applications"');
    expect(body).toContain('opens when');
    expect(body).toContain('<a href="/admin/mcp-connections">MCP connections</a> is on');
  });
});
