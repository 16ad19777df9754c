import { createPublicKey, verify } from 'node:crypto';
import {
  AS_OPERATOR,
  member,
  memberServer,
  otherSite,
  site,
  type ApiResponse,
  type Fields,
} from '../security/oauth/attack.js';
import { clientOf } from '../stack/system-stack.js';
import { fetched, JWKS } from './documents.js';
import { prove, type Proof } from './prove.js';
import { authorizationError, walker } from './walker.js';

const PUBLIC = { client_id: member.client_id };
const SECRET = { client_id: memberServer.client_id, client_secret: memberServer.client_secret! };

/** A public client authenticates without a secret, a confidential client only with its secret. */
const authenticates = (
  path: string,
  form: Fields,
  accepted: readonly number[],
): Record<'none' | 'client_secret_post', Proof> => {
  const authenticate = (credentials: Fields): Promise<ApiResponse> =>
    walker().send(path, { form: { ...form, ...credentials } });
  return {
    async none() {
      expect(accepted).toContain((await authenticate(PUBLIC)).status);
      expect((await authenticate({ client_id: SECRET.client_id })).body['error']).toBe('invalid_client');
    },
    async client_secret_post() {
      expect(accepted).toContain((await authenticate(SECRET)).status);
      const wrong = await authenticate({ ...SECRET, client_secret: 'another' });
      expect([wrong.status, wrong.body['error']]).toEqual([401, 'invalid_client']);
    },
  };
};

// 400 `invalid_grant`: the client is authenticated, the token is invalid.
const token = authenticates('/api/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x' }, [400]);
const revocation = authenticates('/api/oauth/revoke', { token: 'x' }, [200]);
const introspection = authenticates('/api/oauth/introspect', { token: 'x' }, [200]);

type Jwk = Record<string, string>;

async function signedBy(idToken: string): Promise<{ alg: string; genuine: boolean }> {
  const [header = '', claims = '', signature = ''] = idToken.split('.');
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string; kid: string };
  const keys = (await fetched(JWKS)).body['keys'] as Jwk[];
  const key = createPublicKey({ key: keys.find((one) => one['kid'] === kid)!, format: 'jwk' });
  const input = Buffer.from(`${header}.${claims}`);
  const options = { key, dsaEncoding: 'ieee-p1363' } as const;
  return { alg, genuine: verify('sha256', input, options, Buffer.from(signature, 'base64url')) };
}

const subject = (idToken: string): string =>
  (JSON.parse(Buffer.from(idToken.split('.')[1]!, 'base64url').toString()) as { sub: string }).sub;

const asksForASignIn =
  (prompt: string): Proof =>
  async () => {
    const actor = walker();
    await actor.callback();
    const { body } = await actor.browser.open(actor.authorization({ prompt }));
    expect(body).toContain('name="password"');
  };

const isShownIn =
  (ui_locales: string, title: string): Proof =>
  async () => {
    const { body } = await walker().browser.open(walker().authorization({ ui_locales }));
    expect(body).toContain(`<html lang="${ui_locales}"`);
    expect(body).toContain(`<h1>${title}</h1>`);
  };

prove('capabilities', {
  async 'response_types_supported: code'() {
    expect((await walker().callback()).get('code')).toEqual(expect.any(String));
  },
  async 'response_modes_supported: query'() {
    const [named, unnamed] = [await walker().callback({ response_mode: 'query' }), await walker().callback()];
    expect([named.has('code'), unnamed.has('code')]).toEqual([true, true]);
    for (const response_mode of ['fragment', 'form_post', 'web_message', 'jwt'])
      expect([response_mode, (await walker().send(walker().authorization({ response_mode }))).text]).toEqual([
        response_mode,
        expect.not.stringContaining('name="password"'),
      ]);
  },
  async 'prompt_values_supported: none'() {
    expect(await authorizationError(walker(), { prompt: 'none' })).toBe('login_required');
  },
  'prompt_values_supported: login': asksForASignIn('login'),
  async 'prompt_values_supported: select_account'() {
    const actor = walker();
    await actor.callback();
    const { body } = await actor.browser.open(actor.authorization({ prompt: 'select_account' }));
    expect(body).toContain('Choose an account');
  },
  'ui_locales_supported: en': isShownIn('en', 'Sign in'),
  'ui_locales_supported: zh-TW': isShownIn('zh-TW', '登入'),
  async 'prompt_values_supported: consent'() {
    const actor = walker();
    await actor.callback();
    const { body } = await actor.browser.open(actor.authorization({ prompt: 'consent' }));
    expect(body).toContain('value="approve"');
  },
  async client_id_metadata_document_supported(statement) {
    expect(statement).toBe('true');
    const pageOf = (client_id: string) => walker().send(walker().authorization({ client_id, resource: null }));
    const refusal = 'This site takes no clients from';
    expect((await pageOf('https://app.example/client.json')).text).toContain(refusal);
    // The host of a known platform is allowed, but has no document at this URL.
    expect((await pageOf('https://claude.ai/no-such-client.json')).text).not.toContain(refusal);
  },
  async 'grant_types_supported: authorization_code'() {
    expect((await walker().tokens()).access_token).toEqual(expect.any(String));
  },
  async 'grant_types_supported: refresh_token'() {
    const actor = walker();
    const { refresh_token } = await actor.tokens();
    expect((await actor.refresh(refresh_token)).status).toBe(200);
  },
  async 'code_challenge_methods_supported: S256'() {
    const actor = walker();
    expect((await actor.exchange(await actor.code())).status).toBe(200);
    expect((await actor.exchange(await actor.code(), { code_verifier: 'x'.repeat(43) })).body['error']).toBe(
      'invalid_grant',
    );
  },
  'token_endpoint_auth_methods_supported: none': token.none,
  'token_endpoint_auth_methods_supported: client_secret_post': token.client_secret_post,
  'revocation_endpoint_auth_methods_supported: none': revocation.none,
  'revocation_endpoint_auth_methods_supported: client_secret_post': revocation.client_secret_post,
  'introspection_endpoint_auth_methods_supported: none': introspection.none,
  'introspection_endpoint_auth_methods_supported: client_secret_post': introspection.client_secret_post,

  async 'subject_types_supported: pairwise'() {
    const other = clientOf(site, 'member', 'confidential');
    const [one, same] = [
      await walker().tokens(),
      await walker().tokens({ client_id: other.client_id, client_secret: other.client_secret! }),
    ];
    expect(subject(one.id_token)).toBe(subject(same.id_token));
    const both = site.people.find(({ email }) => otherSite.people.some((person) => person.email === email))!;
    const at = async (where: typeof site): Promise<string> => {
      const actor = walker(where);
      const page = await actor.submit(await actor.browser.open(actor.authorization()), 'password', {
        email: both.email,
        password: both.password,
      });
      const { url } = await actor.submit(page, 'decision', { decision: 'approve' });
      return subject(String((await actor.exchange(url.searchParams.get('code')!)).body['id_token']));
    };
    expect(await at(site)).not.toBe(await at(otherSite));
  },
  async 'id_token_signing_alg_values_supported: ES256'(alg) {
    expect(await signedBy((await walker().tokens()).id_token)).toEqual({ alg, genuine: true });
  },
  // No aggregated or distributed claims (OpenID Connect Core §5.6): a claim is a value.
  async 'claim_types_supported: normal'() {
    const actor = walker();
    const { body } = await actor.userInfo((await actor.tokens()).access_token);
    expect([body['_claim_names'], body['_claim_sources'], typeof body['sub']]).toEqual([
      undefined,
      undefined,
      'string',
    ]);
  },
  async claims_parameter_supported(statement) {
    expect(statement).toBe('false');
    const actor = walker();
    const { id_token } = await actor.tokens({ claims: '{"id_token":{"email":{"essential":true}}}' });
    expect(Buffer.from(id_token.split('.')[1]!, 'base64url').toString()).not.toContain('email');
  },
  async request_parameter_supported(statement) {
    expect(statement).toBe('false');
    expect(await authorizationError(walker(), { request: 'x.y.z' })).toBe('request_not_supported');
  },
  async request_uri_parameter_supported(statement) {
    expect(statement).toBe('false');
    expect(await authorizationError(walker(), { request_uri: 'https://x.example/' })).toBe('request_uri_not_supported');
  },
  async authorization_response_iss_parameter_supported(statement) {
    expect(statement).toBe('true');
    expect((await walker().callback()).get('iss')).toBe(site.base_url);
    const refused = await walker().send(walker().authorization({ ...AS_OPERATOR, scope: 'nothing' }));
    expect(new URL(refused.headers['location']!).searchParams.get('iss')).toBe(site.base_url);
  },
});
