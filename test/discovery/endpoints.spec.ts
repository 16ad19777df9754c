import { bearer, CALLBACK, member, operator, site } from '../security/oauth/attack.js';
import { API_CATALOG, fetched, GUIDE, JWKS, METADATA, OPENID, RESOURCE } from './documents.js';
import { prove, type Proof } from './prove.js';
import { walker } from './walker.js';

const path = (statement: string): string => statement.replace(/^(GET|POST) /, '').slice(site.base_url.length);
/** URLs of this site. */
const here = (statement: string, expected: string): void => expect(path(statement)).toBe(expected);

const authorization: Proof = async (statement) => {
  here(statement, '/oauth/authorize');
  const actor = walker();
  const page = await actor.browser.open(actor.authorization());
  expect([page.status, page.body]).toEqual([200, expect.stringContaining('name="password"')]);
};
const token: Proof = async (statement) => {
  const actor = walker();
  const form = { grant_type: 'authorization_code', code: await actor.code(), redirect_uri: CALLBACK };
  const more = { client_id: member.client_id, code_verifier: actor.verifier, resource: site.base_url };
  expect((await actor.send(path(statement), { form: { ...form, ...more } })).status).toBe(200);
};
const userinfo: Proof = async (statement) => {
  const { access_token } = await walker().tokens();
  expect((await walker().send(path(statement), { headers: bearer(access_token) })).body['sub']).toEqual(
    expect.any(String),
  );
};
const revocation: Proof = async (statement) => {
  for (const kind of ['access_token', 'refresh_token'] as const) {
    const actor = walker();
    const tokens = await actor.tokens();
    const form = { token: tokens[kind], client_id: member.client_id };
    expect((await actor.send(path(statement), { form })).status).toBe(200);
    expect([await actor.isActive(tokens.access_token), (await actor.refresh(tokens.refresh_token)).status]).toEqual([
      false,
      400,
    ]);
  }
};
const introspection: Proof = async (statement) => {
  const { access_token } = await walker().tokens();
  const request = (client_id: string) => walker().send(path(statement), { form: { token: access_token, client_id } });
  expect((await request(member.client_id)).body).toMatchObject({
    active: true,
    aud: site.base_url,
    iss: site.base_url,
  });
  expect((await request(operator.client_id)).body).toEqual({ active: false });
};
const registration: Proof = async (statement) => {
  const json = { client_name: 'Own tool', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
  const { status, body } = await walker().send(path(statement), { json });
  expect([status, typeof body['client_id']]).toEqual([201, 'string']);
};
const endSession: Proof = async (statement) => {
  here(statement, '/oauth/logout');
  const actor = walker();
  const { id_token } = await actor.tokens();
  const { status, url } = await actor.browser.open(`${path(statement)}?id_token_hint=${id_token}`);
  expect([status, url.pathname]).toEqual([200, '/oauth/logout/done']);
  expect((await actor.browser.open('/account')).url.pathname).toBe('/account/sign-in');
};
const document =
  (expected: string, type: string): Proof =>
  async (statement) => {
    here(statement, expected);
    const { status, headers } = await fetched(path(statement));
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
  };
const surface =
  (expected: string, request: (at: string, token: string) => Promise<number>): Proof =>
  async (statement) => {
    here(statement, expected);
    const { access_token } = await walker().tokens(
      { client_id: operator.client_id, scope: 'openid courses:read' },
      'owner',
    );
    const { access_token: ofMember } = await walker().tokens();
    expect(await request(statement, expected === '/member/graphql' ? ofMember : access_token)).toBe(200);
  };

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = async (at: string, token: string, body: object): Promise<number> =>
  (await fetch(at, { method: 'POST', headers: { ...JSON_HEADERS, ...bearer(token) }, body: JSON.stringify(body) }))
    .status;

prove('endpoints', {
  async issuer(statement) {
    expect(statement).toBe(site.base_url);
    for (const at of [METADATA, OPENID]) expect((await fetched(at)).body['issuer']).toBe(statement);
  },
  authorization_endpoint: authorization,
  token_endpoint: token,
  userinfo_endpoint: userinfo,
  revocation_endpoint: revocation,
  introspection_endpoint: introspection,
  registration_endpoint: registration,
  end_session_endpoint: endSession,
  jwks_uri: document(JWKS, 'application/jwk-set+json'),
  service_documentation: document(GUIDE, 'text/markdown'),
  async [`protected_resources: ${site.base_url}`](statement) {
    expect((await fetched(RESOURCE)).body['resource']).toBe(statement);
  },
  async 'auth.md {base_url}'(statement) {
    expect(statement).toBe(site.base_url);
  },
  [`auth.md ${METADATA}`]: document(METADATA, 'application/json'),
  [`auth.md ${OPENID}`]: async (statement) => {
    // The same document.
    expect((await fetched(path(statement))).text).toBe((await fetched(METADATA)).text);
  },
  [`auth.md GET ${METADATA}`]: document(METADATA, 'application/json'),
  [`auth.md GET ${RESOURCE}`]: document(RESOURCE, 'application/json'),
  [`auth.md GET ${API_CATALOG}`]: document(API_CATALOG, 'application/linkset+json'),
  'auth.md GET /docs/clients/README.md': document('/docs/clients/README.md', 'text/markdown'),
  [`auth.md ${JWKS}`]: document(JWKS, 'application/jwk-set+json'),
  'auth.md /oauth/authorize': authorization,
  'auth.md POST /api/oauth/token': token,
  'auth.md GET /api/oauth/userinfo': userinfo,
  'auth.md POST /api/oauth/revoke': revocation,
  'auth.md POST /api/oauth/introspect': introspection,
  'auth.md POST /api/oauth/register': registration,
  'auth.md /oauth/logout': endSession,
  'auth.md /api/v1': surface(
    '/api/v1',
    async (at, given) => (await fetch(`${at}/courses`, { headers: bearer(given) })).status,
  ),
  'auth.md /member/graphql': surface('/member/graphql', (at, given) => post(at, given, { query: '{ viewer { id } }' })),
  'auth.md /mcp': surface('/mcp', (at, given) =>
    post(at, given, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  ),
});
