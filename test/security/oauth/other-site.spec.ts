import { graphql, listTools, send } from '../../clients/http.js';
import { clientOf } from '../../stack/system-stack.js';
import { Actor, CALLBACK, otherSite, outcome, site, sourceIn } from './attack.js';

const source = sourceIn(12);

describe.each([
  [site.name, otherSite.name, site, otherSite],
  [otherSite.name, site.name, otherSite, site],
])('credentials of %s at %s', (_from, _to, from, to) => {
  const own = clientOf(from, 'member', 'public');
  const foreign = clientOf(to, 'member', 'public');
  const at = new Actor(source, from);
  const there = new Actor(source, to);

  it('refuses a foreign access token on every surface, and keeps it valid at its own site', async () => {
    const { access_token } = await at.tokens();
    const operator = { client_id: clientOf(from, 'operator', 'public').client_id, scope: 'openid courses:read' };
    const { access_token: operators } = await new Actor(source, from).tokens(operator, 'owner');
    const responses = await Promise.all([
      graphql(to.base_url, access_token, '{ viewer { id } }'),
      listTools(to.base_url, access_token),
      send(`${to.base_url}/api/v1/courses`, { token: operators }),
      send(`${to.base_url}/api/oauth/userinfo`, { token: access_token }),
    ]);
    for (const { status, headers } of responses) {
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toContain(`resource_metadata="${to.base_url}/`);
      expect(headers.get('www-authenticate')).not.toContain(from.base_url);
    }
    expect((await graphql(from.base_url, access_token, '{ viewer { id } }')).status).toBe(200);
    expect((await send(`${from.base_url}/api/v1/courses`, { token: operators })).status).toBe(200);
  });

  it('neither introspects nor revokes a foreign token', async () => {
    const { access_token, refresh_token } = await at.tokens();
    for (const token of [access_token, refresh_token]) {
      const foreignIntrospection = await there.send('/api/oauth/introspect', {
        form: { token, client_id: foreign.client_id },
      });
      expect(foreignIntrospection.body).toEqual({ active: false });
      const revoked = await there.send('/api/oauth/revoke', { form: { token, client_id: foreign.client_id } });
      expect(revoked.status).toBe(200);
      const ownIntrospection = await at.send('/api/oauth/introspect', { form: { token, client_id: own.client_id } });
      expect(ownIntrospection.body['active']).toBe(true);
    }
    expect(await at.isActive(access_token)).toBe(true);
  });

  it('refuses a foreign refresh token without ending its family', async () => {
    const { refresh_token } = await at.tokens();
    expect(outcome(await there.refresh(refresh_token))).toEqual([400, 'invalid_grant']);
    expect(outcome(await there.refresh(refresh_token, { client_id: own.client_id }))).toEqual([401, 'invalid_client']);
    expect((await at.refresh(refresh_token)).status).toBe(200);
  });

  it('refuses a foreign code without using it up', async () => {
    const code = await at.code();
    expect(outcome(await there.exchange(code, { code_verifier: at.verifier }))).toEqual([400, 'invalid_grant']);
    expect((await at.exchange(code)).status).toBe(200);
  });

  it('ignores a foreign session', async () => {
    // Approval of this client is remembered, unlike that of a public client on loopback.
    const client_id = (actor: Actor): string => clientOf(actor.at, 'member', 'confidential').client_id;
    await at.code({ client_id: client_id(at) });
    const cookie = at.browser.cookiesFor('/');
    const silent = async (actor: Actor): Promise<URLSearchParams> => {
      const request = { prompt: 'none', client_id: client_id(actor) };
      const { headers } = await actor.send(actor.authorization(request), { headers: { cookie } });
      return new URL(headers['location']!).searchParams;
    };
    expect((await silent(there)).get('error')).toBe('login_required');
    expect((await silent(at)).get('code')).toEqual(expect.any(String));
  });

  it('does not show a foreign interaction, even with its cookies', async () => {
    const fresh = new Actor(source, from);
    const { pathname } = (await fresh.browser.open(fresh.authorization())).url;
    const cookie = fresh.browser.cookiesFor(pathname);
    expect((await there.send(pathname, { headers: { cookie } })).status).toBe(400);
    expect((await fresh.send(pathname, { headers: { cookie } })).status).toBe(200);
  });

  it('treats a foreign client as unknown at authorization, token and introspection', async () => {
    const { client_id, client_secret = null } = clientOf(from, 'member', 'confidential');
    const page = await there.send(there.authorization({ client_id }));
    expect([page.status, page.headers['location']]).toEqual([400, undefined]);
    const credentials = { client_id, client_secret };
    expect(outcome(await there.refresh('any', credentials))).toEqual([401, 'invalid_client']);
    for (const path of ['/api/oauth/introspect', '/api/oauth/revoke'])
      expect(outcome(await there.send(path, { form: { token: 'any', ...credentials } }))).toEqual([
        401,
        'invalid_client',
      ]);
    expect(outcome(await at.refresh('any', credentials))).toEqual([400, 'invalid_grant']);
  });

  it('treats a client that registered at the other site as unknown', async () => {
    const json = { client_name: 'Tool', redirect_uris: [CALLBACK] };
    const { status, body } = await at.send('/api/oauth/register', { json });
    expect(status).toBe(201);
    const request = { client_id: String(body['client_id']), scope: 'courses:read' };
    expect((await there.send(there.authorization(request))).status).toBe(400);
    expect((await at.send(at.authorization(request))).status).toBe(303);
  });
});
