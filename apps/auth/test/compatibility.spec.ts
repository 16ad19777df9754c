import { eventually } from '@lyceum/testing';
import { SitesService } from '#src/sites/sites.service.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { baseOf } from './admin-flow.js';
import { SOON_SEEN, CALLBACK, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

/** An application whose library sends neither `state` nor `resource` at the token request. */
const COMPATIBLE = {
  client_id: 'compatible',
  name: 'An application with an old library',
  audience: 'member' as const,
  redirect_uris: [CALLBACK],
  scopes: ['openid', 'account:read'],
  compatibility_mode: true,
};
const SCOPE = 'openid account:read';

describe('A missing state and a missing resource', () => {
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth({ environment: SOON_SEEN });
    const { people: _people, ...site } = auth.site;
    await auth.apply({ sites: [{ ...site, clients: [COMPATIBLE] }] });
  });
  afterAll(() => auth.stop());

  async function registered(redirect_uri = 'http://127.0.0.1:8400/callback'): Promise<string> {
    const { body } = await new Flow(auth).send('/api/oauth/register', {
      method: 'POST',
      body: JSON.stringify({ client_name: 'A tool', redirect_uris: [redirect_uri] }),
      headers: { 'content-type': 'application/json' },
    });
    return String(body['client_id']);
  }

  it.each([null, ''])('accepts the state %p of a client from the registration endpoint', async (state) => {
    const redirect_uri = 'http://127.0.0.1:8400/callback';
    const client_id = await registered();
    const flow = new Flow(auth);
    const callback = await flow.callback({ client_id, redirect_uri, scope: 'courses:read', state }, 'owner');
    expect([callback.has('code'), callback.get('state')]).toEqual([true, null]);
    const { status } = await flow.exchange(callback.get('code'), { client_id, redirect_uri });
    expect(status).toBe(200);
  });

  it('accepts a missing state of a platform', async () => {
    const { body } = await new Flow(auth).send('/api/oauth/register', {
      method: 'POST',
      body: JSON.stringify({ client_name: 'Claude' }),
      headers: { 'content-type': 'application/json' },
    });
    const request = {
      client_id: String(body['client_id']),
      redirect_uri: 'https://claude.ai/api/mcp/auth_callback',
      scope: 'courses:read',
      state: null,
    };
    expect((await new Flow(auth).callback(request, 'owner')).get('code')).toEqual(expect.any(String));
  });

  it('returns the state that a registered client sends', async () => {
    const request = { client_id: await registered(), redirect_uri: 'http://127.0.0.1:8400/callback' };
    const callback = await new Flow(auth).callback({ ...request, scope: 'courses:read', state: 'sent' }, 'owner');
    expect(callback.get('state')).toBe('sent');
  });

  it.each(['first-member', 'first-operator'])('refuses a missing state of %s and names both solutions', async (id) => {
    const flow = new Flow(auth);
    const scope = id === 'first-member' ? SCOPE : 'courses:read';
    const { url } = await flow.browser.open(flow.authorizationUrl({ client_id: id, scope, state: null }));
    expect(url.searchParams.get('error')).toBe('invalid_request');
    const description = url.searchParams.get('error_description') ?? '';
    expect(description).toContain('state is required');
    expect(description).toContain('/api/oauth/register');
    expect(description).toContain('/admin/applications');
  });

  it('names the required resource and the compatibility switch when a token request lacks it', async () => {
    const flow = new Flow(auth);
    const { body } = await flow.exchange((await flow.callback()).get('code'), { resource: null });
    expect(body['error']).toBe('invalid_target');
    expect(body['error_description']).toContain(`Repeat resource=${auth.site.base_url} in the token request`);
    expect(body['error_description']).toContain('/admin/applications');
    expect(body['error_description']).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it('names the required resource when an authorization request lacks it', async () => {
    const flow = new Flow(auth);
    for (const client_id of ['first-member', 'compatible']) {
      const { url } = await flow.browser.open(flow.authorizationUrl({ client_id, scope: SCOPE, resource: null }));
      expect([client_id, url.searchParams.get('error')]).toEqual([client_id, 'invalid_target']);
      expect(url.searchParams.get('error_description')).toContain(`resource=${auth.site.base_url}`);
    }
  });

  it('uses the granted resource for an application with the compatibility switch', async () => {
    const flow = new Flow(auth);
    const callback = await flow.callback({ client_id: 'compatible', scope: SCOPE, state: null });
    const { status, body } = await flow.exchange(callback.get('code'), { client_id: 'compatible', resource: null });
    expect(status).toBe(200);
    expect((await flow.introspect(String(body['access_token']))).body).toMatchObject({
      active: true,
      aud: auth.site.base_url,
      scope: SCOPE,
    });
  });

  it('refuses a different resource, also with the compatibility switch', async () => {
    const flow = new Flow(auth);
    const callback = await flow.callback({ client_id: 'compatible', scope: SCOPE });
    const resource = auth.other.base_url;
    const { status, body } = await flow.exchange(callback.get('code'), { client_id: 'compatible', resource });
    expect([status, body['error']]).toEqual([400, 'invalid_target']);
  });

  it('leaves compatibility off for a new application, and changes it by the admin form', async () => {
    await auth.app.get(SitesService).changeSettings(auth.site.site_id, () => ({ mcp_connections: true }));
    const flow = new Flow(auth);
    await flow.signIn(await flow.browser.open('/admin/new-application?for=member'), 'owner');
    const page = await eventually(
      () => flow.browser.open('/admin/new-application?for=member'),
      ({ status }) => status === 200,
    );
    expect(page.body).toContain('Accept a missing <code>state</code>');
    const fields = { name: 'Off at first', redirect_uris: CALLBACK, kind: 'public', scope: 'account:read' };
    const created = await flow.submit(page, 'redirect_uris', fields);
    const client_id = /id="client_id">([^<]+)</.exec(created.body)?.[1] ?? '';
    const clients = auth.app.get(ClientsService);
    const stored = async () => (await clients.atSite(client_id, auth.site.site_id))?.compatibility_mode;
    expect(await stored()).toBe(false);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const change = async (form: Record<string, string>) => {
      const base = baseOf(await flow.browser.open(`/admin/applications/${client_id}/edit`));
      const sent = { csrf, base, application: client_id, ...fields, ...form };
      return flow.browser.open('/admin/applications/change', new URLSearchParams(sent));
    };
    expect((await change({ compatibility_mode: 'yes' })).url.pathname).toBe(`/admin/applications/${client_id}`);
    expect(await stored()).toBe(true);
    await change({});
    expect(await stored()).toBe(false);
    const foreign = await change({ application: 'second-member', compatibility_mode: 'yes' });
    expect(foreign.status).toBe(404);
  });
});
