import { KeyRing } from '#src/keys/key-ring.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow, SERVER } from './flow.js';

const DOCUMENTS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

describe('The signing keys of a running service', () => {
  let auth: TestAuth;
  let flow: Flow;

  beforeAll(async () => {
    auth = await startAuth();
    flow = new Flow(auth);
    await auth.app.get(KeyRing).current();
  });
  afterAll(() => auth.stop());

  /** Moves the times of all keys into the past, and lets the service reload them. */
  async function pass(interval: string): Promise<void> {
    await auth.sql(
      `UPDATE signing_keys SET signs_from = signs_from - $1::interval,
         signs_until = signs_until - $1::interval, published_until = published_until - $1::interval`,
      [interval],
    );
    await auth.app.get(KeyRing).reload();
  }
  const published = async (): Promise<string[]> => {
    const { body } = await flow.send('/.well-known/jwks.json');
    return (body['keys'] as { kid: string }[]).map(({ kid }) => kid);
  };
  async function signer(): Promise<string> {
    const { id_token = '' } = await flow.tokens();
    return (JSON.parse(Buffer.from(id_token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
  }
  const algorithms = () =>
    Promise.all(DOCUMENTS.map(async (path) => (await flow.send(path)).body['id_token_signing_alg_values_supported']));

  it('issues no id_token, and lists no algorithm, while the keys are published and do not sign yet', async () => {
    await pass('-1 hour');
    expect(await published()).toHaveLength(1);
    for (const path of DOCUMENTS) {
      const { status, body } = await flow.send(path);
      expect([status, 'id_token_signing_alg_values_supported' in body]).toEqual([200, false]);
    }
    const tokens = await flow.tokens();
    expect(tokens).not.toHaveProperty('id_token');
    expect(tokens.scope).toContain('openid');
    expect((await flow.userInfo(tokens.access_token)).status).toBe(200);
  });

  it('issues an id_token again once the keys sign', async () => {
    await pass('1 hour');
    expect(await algorithms()).toEqual([['ES256'], ['ES256']]);
    expect([await signer()]).toEqual(await published());
  });

  it('rotates keys without a restart: a day published, a day beside the old one, then alone', async () => {
    const old = await signer();
    const next = await auth.app.get(KeyRing).rotate();
    expect([await published(), await signer()]).toEqual([[old, next], old]);
    await pass('24 hours');
    expect([await published(), await signer()]).toEqual([[next, old], next]);
    await pass('24 hours');
    expect([await published(), await signer()]).toEqual([[next], next]);
  });

  it('verifies an id_token_hint whose key has left the JWKS, at the authorization and at the sign-out', async () => {
    const back = 'https://app.example/signed-out';
    const { client_id } = SERVER;
    await auth.sql('UPDATE clients SET post_logout_redirect_uris = $1 WHERE client_id = $2', [[back], client_id]);
    const [own, other] = [new Flow(auth, auth.site, SERVER), new Flow(auth, auth.site, SERVER)];
    const { id_token = '' } = await own.tokens();
    const { id_token: another = '' } = await other.tokens({}, 'owner');
    const [kid] = await published();
    await auth.app.get(KeyRing).rotate();
    await pass('48 hours');
    expect(await published()).not.toContain(kid);
    const silent = async (id_token_hint: string) =>
      (await own.browser.open(own.authorizationUrl({ id_token_hint, prompt: 'none' }))).url.searchParams;
    expect((await silent(id_token)).has('code')).toBe(true);
    expect((await silent(another)).get('error')).toBe('login_required');
    expect((await silent(`${id_token.slice(0, -4)}AAAA`)).get('error')).toBe('invalid_request');
    const signOut = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: back });
    const { url } = await own.browser.open(`/oauth/logout?${signOut.toString()}`);
    expect(url.href).toBe(back);
    expect((await own.browser.open('/account')).url.pathname).toBe('/account/sign-in');
  });
});
