import { eventually } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { baseOf, csrfOf, signedIn, switchConnections, textOf } from './admin-flow.js';
import { CALLBACK, SOON_SEEN, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

let auth: TestAuth;
let owner: Flow;
let csrf: string;

beforeAll(async () => {
  auth = await startAuth({ environment: SOON_SEEN });
  await switchConnections(auth, true);
  ({ flow: owner } = await signedIn(auth, '/admin'));
  csrf = csrfOf(await owner.browser.open('/admin/new-application?for=member'));
});
afterAll(() => auth.stop());

async function create(kind: string, fields: Record<string, string | string[]>): Promise<Page> {
  const sent = new URLSearchParams({ csrf, for: kind, redirect_uris: CALLBACK });
  for (const [name, values] of Object.entries(fields)) {
    sent.delete(name);
    for (const value of [values].flat()) sent.append(name, value);
  }
  return owner.browser.open('/admin/applications', sent);
}

const edit = (id: string): Promise<Page> => owner.browser.open(`/admin/applications/${id}/edit`);
const baseOfEdit = async (id: string): Promise<string> => baseOf(await edit(id));

async function change(page: Page, fields: Record<string, string>): Promise<Page> {
  const base = await baseOfEdit(textOf(page, 'client_id'));
  const form = { csrf, base, application: textOf(page, 'client_id'), redirect_uris: CALLBACK, ...fields };
  return owner.browser.open('/admin/applications/change', new URLSearchParams(form));
}

describe('The form of a new application', () => {
  it('asks for the purpose first, each with its own sentence', async () => {
    const { body } = await owner.browser.open('/admin/new-application?for=loved');
    for (const kind of ['member', 'operator', 'identity']) expect(body).toContain(`?for=${kind}"`);
    expect(body).toContain('including students');
    expect(body).not.toContain('<textarea');
  });

  it('offers each purpose its own permissions', async () => {
    const offered = async (kind: string): Promise<string[]> => {
      const { body } = await owner.browser.open(`/admin/new-application?for=${kind}`);
      return [...body.matchAll(/name="scope"\s+value="([^"]+)"/g)].map(([, scope]) => scope ?? '');
    };
    expect(await offered('identity')).toEqual(['openid', 'profile', 'email']);
    expect(await offered('member')).toContain('account:write');
    expect(await offered('operator')).toContain('members:write');
    expect(await offered('operator')).not.toContain('account:read');
  });

  it('creates an application for operators, which a student cannot allow', async () => {
    const page = await create('operator', { name: 'Office', scope: ['openid', 'courses:read'] });
    expect(page.body).toContain('Owners and admins can allow');
    const client = { client_id: textOf(page, 'client_id'), scope: 'openid courses:read' };
    expect((await new Flow(auth).tokens(client, 'admin')).scope).toBe('openid courses:read');
    const student = new Flow(auth);
    const refused = await student.signIn(await student.browser.open(student.authorizationUrl(client)));
    expect(refused.body).toContain('You cannot allow');
  });

  it('creates an application for sign-in only, which says who a student is and nothing else', async () => {
    const page = await create('identity', { name: 'Forum', scope: ['openid', 'email'] });
    const client = { client_id: textOf(page, 'client_id'), scope: 'openid email' };
    const { scope, id_token } = await new Flow(auth).tokens(client);
    expect([scope, typeof id_token]).toEqual(['openid email', 'string']);
    const list = (await owner.browser.open('/admin/applications')).body;
    expect(list.split('For sign-in only')[1]).toContain('Forum');
  });

  it('shows every fault beside its field at once, with the accepted form of a custom scheme', async () => {
    const redirect_uris = 'myapp://cb http://app.example/cb https://app.example/#x';
    const page = await create('member', { name: ' ', redirect_uris, scope: 'openid', post_logout_redirect_uris: 'x' });
    expect(page.status).toBe(422);
    for (const [field, count] of Object.entries({ name: 1, redirect_uris: 3, post_logout_redirect_uris: 1, scope: 1 }))
      expect([field, page.body.match(new RegExp(`id="${field}-error-`, 'g'))?.length]).toEqual([field, count]);
    expect(page.body).toContain('com.example.app:/callback');
    expect(page.body).toContain('4 fields need a change');
    expect(page.body).toContain('http://app.example/cb\n');
  });

  it.each([
    ['the account in an application for operators', 'operator', 'account:read'],
    ['courses in an application for sign-in', 'identity', 'courses:read'],
    ['an unknown scope', 'member', 'everything'],
    ['changes of the account without reading it', 'member', 'account:write'],
  ])('refuses %s', async (_what, kind, scope) => {
    expect((await create(kind, { name: 'Wrong', scope: ['openid', scope] })).status).toBe(422);
  });

  it('returns 404 for an unknown purpose', async () => {
    expect((await create('loved', { name: 'Wrong', scope: 'openid' })).status).toBe(404);
  });
});

describe('The page of an application', () => {
  it('shows the values that a developer enters, each with a text to copy', async () => {
    const { body } = await create('operator', { name: 'Values', scope: 'courses:read', kind: 'confidential' });
    const base = auth.site.base_url;
    for (const value of [
      base,
      `${base}/.well-known/openid-configuration`,
      `${base}/oauth/authorize`,
      `${base}/api/oauth/token`,
      `${base}/mcp`,
      'client_secret_post',
      'S256',
    ])
      expect(body).toContain(`<code data-copy>${value}</code>`);
    expect((await create('member', { name: 'Public', scope: 'account:read' })).body).toContain(
      '<code data-copy>none</code>',
    );
  });

  it('shows the last use', async () => {
    const page = await create('member', { name: 'Used', scope: 'account:read' });
    expect(page.body).toContain('Never');
    const client_id = textOf(page, 'client_id');
    await new Flow(auth).tokens({ client_id, scope: 'account:read' });
    // The use is stored after the response.
    await eventually(
      () => owner.browser.open(page.url),
      ({ body }) => !body.includes('Never'),
    );
  });

  it('changes name, redirect URIs and permissions, and ends access that is no longer permitted', async () => {
    const page = await create('member', { name: 'Before', scope: ['openid', 'account:read', 'account:write'] });
    const client_id = textOf(page, 'client_id');
    const student = new Flow(auth);
    const { access_token } = await student.tokens({ client_id, scope: 'openid account:read account:write' });
    const fields = new URLSearchParams({ csrf, application: client_id, name: 'After <b>' });
    fields.set('base', await baseOfEdit(client_id));
    fields.set('redirect_uris', `${CALLBACK}\nhttps://app.example/cb\nhttps://app.example/cb`);
    for (const scope of ['openid', 'account:read', 'account:write']) fields.append('scope', scope);
    const saved = await owner.browser.open('/admin/applications/change', fields);
    expect(saved.url.pathname).toBe(`/admin/applications/${client_id}`);
    expect(saved.body).toContain('After &lt;b&gt; is saved.');
    expect(saved.body.match(/https:\/\/app\.example\/cb/g)).toHaveLength(1);
    expect(await student.isActive(access_token)).toBe(true);
    fields.delete('scope', 'account:write');
    fields.set('base', await baseOfEdit(client_id));
    await owner.browser.open('/admin/applications/change', fields);
    expect(await student.isActive(access_token)).toBe(false);
    const acts = await auth.sql<{ changed: string[] }>(
      `select details -> 'changed' as changed from audit_log
        where event = 'client.changed' and client_id = $1 order by audit_id`,
      [client_id],
    );
    expect(acts.map(({ changed }) => changed)).toEqual([['name', 'redirect_uris'], ['scopes']]);
  });

  it('keeps the redirect URIs and scopes that another admin removed while the form was open', async () => {
    const wide = { redirect_uris: `${CALLBACK} https://old.example/cb`, scope: ['account:read', 'account:write'] };
    const page = await create('member', { name: 'Stale', ...wide });
    const application = textOf(page, 'client_id');
    const base = await baseOfEdit(application);
    await change(page, { name: 'Stale', scope: 'account:read' });
    const sent = new URLSearchParams({ csrf, base, application, name: 'Renamed', redirect_uris: wide.redirect_uris });
    for (const scope of wide.scope) sent.append('scope', scope);
    expect((await owner.browser.open('/admin/applications/change', sent)).body).toContain('Renamed is saved.');
    const stored = async (): Promise<unknown> =>
      (await auth.sql('select name, redirect_uris, scopes from clients where client_id = $1', [application]))[0];
    const after = { name: 'Renamed', redirect_uris: [CALLBACK], scopes: ['account:read'] };
    expect(await stored()).toEqual(after);
    sent.set('redirect_uris', `${wide.redirect_uris} https://new.example/cb`);
    const refused = await owner.browser.open('/admin/applications/change', sent);
    expect([refused.status, refused.body.includes('Nothing was saved')]).toEqual([412, true]);
    expect([baseOf(refused), await stored()]).toEqual([await baseOfEdit(application), after]);
  });

  it('records nothing when the same values are saved again', async () => {
    const page = await create('member', { name: 'Same', scope: 'account:read' });
    const saved = await change(page, { name: 'Same', scope: 'account:read' });
    expect(saved.body).toContain('Same is saved.');
    const acts = await auth.sql(`select 1 from audit_log where event = 'client.changed' and client_id = $1`, [
      textOf(page, 'client_id'),
    ]);
    expect(acts).toEqual([]);
  });

  it('keeps the typed values of a refused change, and the stored ones', async () => {
    const page = await create('member', { name: 'Kept', scope: 'account:read' });
    const refused = await change(page, { name: 'Typed', redirect_uris: 'nope', scope: 'account:read' });
    expect([refused.status, refused.body.includes('value="Typed"')]).toEqual([422, true]);
    expect(baseOf(refused)).toBe(await baseOfEdit(textOf(page, 'client_id')));
    expect((await owner.browser.open(page.url)).body).toContain('<h1>Kept</h1>');
  });

  it.each(['second-member', 'unknown'])(
    'changes nothing of %s, which is not an application here',
    async (application) => {
      const page = await create('member', { name: 'Mine', scope: 'account:read' });
      const response = await change(page, { application, name: 'Taken', scope: 'account:read' });
      expect(response.status).toBe(404);
    },
  );
});
