import { KeyRing } from '#src/keys/key-ring.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';

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
});
