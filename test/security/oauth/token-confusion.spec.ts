import { graphql, listTools, send } from '../../clients/http.js';
import { Actor, bearer, member, memberServer, operator, outcome, randomText, site, sourceIn } from './attack.js';

const victim = new Actor(sourceIn(22));
const api = (token: string) =>
  Promise.all([
    graphql(site.base_url, token, '{ viewer { id } }'),
    listTools(site.base_url, token),
    send(`${site.base_url}/api/v1/courses`, { token }),
    send(`${site.base_url}/api/oauth/userinfo`, { token }),
  ]);
const introspect = async (token: string) =>
  (await victim.send('/api/oauth/introspect', { form: { token, client_id: member.client_id } })).body;

let tokens: { access_token: string; refresh_token: string; id_token: string };
beforeAll(async () => {
  tokens = await victim.tokens();
});

it('accepts the access token, which is active', async () => {
  const [graph, tools, , userInfo] = await api(tokens.access_token);
  expect([graph.status, tools.status, userInfo.status]).toEqual([200, 200, 200]);
  expect(await introspect(tokens.access_token)).toMatchObject({ active: true, client_id: member.client_id });
});

it.each<[string, () => string | Promise<string>]>([
  ['a refresh token', () => tokens.refresh_token],
  ['an id_token', () => tokens.id_token],
  ['an authorization code', () => victim.code()],
  ['a client_id', () => member.client_id],
  ['a client_secret', () => memberServer.client_secret!],
  ['the cookie of a session', () => /lyceum=([^;]+)/.exec(victim.browser.cookiesFor('/'))![1]!],
  ['a verifier', () => victim.verifier],
  ['an access token and a letter', () => `${tokens.access_token}a`],
  ['an access token but its last letter', () => tokens.access_token.slice(0, -1)],
  ['a token of our form that never was', randomText],
])('refuses %s as an access token', async (_what, token) => {
  for (const { status, headers } of await api(await token())) {
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  }
});

it.each<[string, () => string]>([
  ['an access token', () => tokens.access_token],
  ['an id_token', () => tokens.id_token],
  ['a verifier', () => victim.verifier],
])('refuses %s as a refresh token without ending the family', async (_what, token) => {
  expect(outcome(await victim.refresh(token()))).toEqual([400, 'invalid_grant']);
  expect(await victim.isActive(tokens.access_token)).toBe(true);
});

it.each<[string, () => string]>([
  ['an access token', () => tokens.access_token],
  ['a refresh token', () => tokens.refresh_token],
  ['an id_token', () => tokens.id_token],
])('refuses %s as a code without ending the family', async (_what, token) => {
  expect(outcome(await victim.exchange(token()))).toEqual([400, 'invalid_grant']);
  expect(await victim.isActive(tokens.access_token)).toBe(true);
});

it('neither introspects an id_token nor revokes anything by it', async () => {
  expect(await introspect(tokens.id_token)).toEqual({ active: false });
  const form = { token: tokens.id_token, client_id: member.client_id };
  expect(outcome(await victim.send('/api/oauth/revoke', { form }))).toEqual([400, 'unsupported_token_type']);
  expect(await victim.isActive(tokens.access_token)).toBe(true);
});

it('reads an access token from the header only (RFC 9700 §4.3.2)', async () => {
  const { access_token } = tokens;
  const inQuery = await victim.send(`/api/oauth/userinfo?access_token=${access_token}`);
  const inCookie = await victim.send('/api/oauth/userinfo', { headers: { cookie: `access_token=${access_token}` } });
  const twice = await victim.send('/api/oauth/userinfo', {
    form: { access_token },
    headers: bearer(access_token),
  });
  expect([inQuery.status, inCookie.status, twice.status]).toEqual([401, 401, 400]);
});

it('refuses an operator token for member data, and a member token for operator data', async () => {
  const owner = { client_id: operator.client_id, scope: 'openid courses:read', resource: null };
  const { access_token } = await new Actor(sourceIn(22)).tokens(owner, 'owner');
  expect((await send(`${site.base_url}/api/v1/courses`, { token: access_token })).status).toBe(200);
  expect((await graphql(site.base_url, access_token, '{ viewer { id } }')).status).toBe(403);
  expect((await send(`${site.base_url}/api/v1/courses`, { token: tokens.access_token })).status).toBe(403);
});
