import { eventually } from '@lyceum/testing';
import { SitesService } from '#src/sites/sites.service.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

const APPLICATIONS = '/admin/applications';
const ADD = `${APPLICATIONS}/pages`;

let auth: TestAuth;
beforeAll(async () => {
  auth = await startAuth();
  await auth.app.get(SitesService).changeSettings(auth.site.site_id, () => ({ mcp_connections: true }));
});
afterAll(() => auth.stop());

const made = (): Promise<{ name: string; audience: string; redirect_uris: string[]; scopes: string[] }[]> =>
  auth.sql(`select name, audience, redirect_uris, scopes from clients
             where secret_hash is null and deleted_at is null and redirect_uris[1] ~ '/(docs|member/explorer)$' order by audience`);

async function applications(name = 'owner'): Promise<{ flow: Flow; body: string }> {
  const flow = new Flow(auth);
  await flow.signIn(await flow.browser.open('/account/sign-in'), name);
  const { body } = await eventually(
    () => flow.browser.open(APPLICATIONS),
    ({ status }) => status === 200,
  );
  return { flow, body };
}

/** The hidden fields of the form that adds the application of a page. */
function formOf(body: string, page: string): Record<string, string> {
  const form = body.split('<form').find((part) => part.includes(`action="${ADD}"`) && part.includes(`value="${page}"`));
  return Object.fromEntries(
    [...(form ?? '').matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

describe('The applications of the pages for developers', () => {
  it('adds one for each page with one click, and adds none a second time', async () => {
    const { flow, body } = await applications();
    const { base_url } = auth.site;
    for (const page of ['reference', 'explorer']) {
      const fields = formOf(body, page);
      expect(Object.keys(fields).toSorted()).toEqual(['csrf', 'form', 'page']);
      const after = await flow.browser.open(ADD, new URLSearchParams(fields));
      expect([after.status, after.url.pathname]).toEqual([200, APPLICATIONS]);
      expect(after.body).toMatch(/role="status">[^<]+ is created\./);
      // The same form again, and another one that was shown before.
      for (const form of [fields['form']!, 'another'])
        await flow.browser.open(ADD, new URLSearchParams({ ...fields, form }));
    }
    expect(await made()).toEqual([
      {
        name: 'GraphQL explorer',
        audience: 'member',
        redirect_uris: [`${base_url}/member/explorer`],
        scopes: expect.arrayContaining(['openid', 'account:read', 'account:write']),
      },
      {
        name: 'API reference',
        audience: 'operator',
        redirect_uris: [`${base_url}/docs`],
        scopes: expect.arrayContaining(['courses:read', 'courses:write']),
      },
    ]);
    const list = await flow.browser.open(APPLICATIONS);
    expect([formOf(list.body, 'reference'), formOf(list.body, 'explorer')]).toEqual([{}, {}]);
    for (const path of ['/docs', '/member/explorer'])
      expect((await flow.browser.open(path)).body).not.toContain('has no application for this page');
  });

  it('signs a page in with an access token alone', async () => {
    const { flow } = await applications();
    const redirect_uri = `${auth.site.base_url}/member/explorer`;
    const [application] = await auth.sql<{ client_id: string }>(
      'select client_id from clients where redirect_uris = array[$1]',
      [redirect_uri],
    );
    const client = { client_id: application!.client_id, redirect_uri };
    const consent = await flow.browser.open(flow.authorizationUrl({ ...client, scope: 'account:read' }));
    const code = (await flow.decide(consent, 'approve')).url.searchParams.get('code');
    const { status, body } = await flow.exchange(code, client);
    expect([status, 'refresh_token' in body]).toEqual([200, false]);
    expect(await flow.isActive(String(body['access_token']))).toBe(true);
    expect(await auth.sql('select from refresh_tokens')).toEqual([]);
  });

  it('refuses a forged form, an unknown page and people without the role', async () => {
    await auth.sql(`update clients set deleted_at = now() where redirect_uris[1] ~ '/docs$'`);
    const before = await made();
    const { flow, body } = await applications('admin');
    const { csrf = '' } = formOf(body, 'reference');
    const statusOf = async (by: Flow, fields: Record<string, string>): Promise<number> =>
      (await by.browser.open(ADD, new URLSearchParams(fields))).status;
    expect(await statusOf(flow, { csrf: 'forged', page: 'reference' })).toBe(403);
    expect(await statusOf(flow, { csrf, page: 'constructor' })).toBe(404);
    expect(await statusOf(flow, { csrf })).toBe(404);
    const student = new Flow(auth);
    const account = await student.signIn(await student.browser.open('/account/sign-in'), 'student');
    const [, own = ''] = /name="csrf" value="([^"]+)"/.exec(account.body) ?? [];
    expect(await statusOf(student, { csrf, page: 'reference' })).toBe(403);
    expect(await statusOf(student, { csrf: own, page: 'reference' })).toBe(404);
    expect(await made()).toHaveLength(before.length);
  });
});
