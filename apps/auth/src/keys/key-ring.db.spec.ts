import { randomBytes } from 'node:crypto';
import { AuditService } from '#src/audit/audit.service.js';
import { AuthSettings } from '#src/auth.environment.js';
import { startIdentity } from '../../test/identity.js';
import type { TestIdentity } from '../../test/identity.js';
import { KeyRing } from './key-ring.js';
import { SigningKeysRepository } from './signing-keys.repository.js';

describe('The key ring', () => {
  let identity: TestIdentity;

  beforeAll(async () => {
    identity = await startIdentity();
  });
  beforeEach(() => identity.sql('DELETE FROM signing_keys'));
  afterAll(() => identity.stop());

  function replica(change: Partial<AuthSettings['values']> = {}): KeyRing {
    const { context, config } = identity;
    const settings = new AuthSettings({ ...config, ...change });
    return new KeyRing(context.get(SigningKeysRepository), settings, context.get(AuditService));
  }
  const stored = () => identity.sql<{ kid: string; private_jwk: Buffer }>('SELECT kid, private_jwk FROM signing_keys');

  it('makes one key at the first start, however many replicas start at once', async () => {
    const rings = Array.from({ length: 6 }, () => replica());
    const sets = await Promise.all(rings.map((ring) => ring.current()));
    const [row, ...rest] = await stored();
    expect(rest).toEqual([]);
    expect(new Set(sets.map(({ privateKeys }) => privateKeys[0]?.kid))).toEqual(new Set([row?.kid]));
    expect(sets.every(({ signing }) => signing)).toBe(true);
    for (const ring of rings) ring.onApplicationShutdown();
  });

  it('keeps the private half encrypted', async () => {
    const ring = replica();
    const { privateKeys } = await ring.current();
    const [row] = await stored();
    expect(row?.private_jwk.toString('latin1')).not.toContain(privateKeys[0]?.d);
    ring.onApplicationShutdown();
  });

  it('refuses to start with another encryption key instead of making new signing keys', async () => {
    const first = replica();
    await first.current();
    const wrong = replica({ KEY_ENCRYPTION_KEY: randomBytes(32) });
    await expect(wrong.current()).rejects.toThrow('unable to authenticate');
    expect(await stored()).toHaveLength(1);
    first.onApplicationShutdown();
  });

  it('says that nothing signs while the only key is published ahead of its time', async () => {
    const ring = replica();
    await ring.rotate();
    await identity.sql(`UPDATE signing_keys SET signs_from = now() + interval '1 minute'`);
    const set = await ring.current();
    expect([set.signing, set.publicKeys.length]).toEqual([false, 1]);
    ring.onApplicationShutdown();
  });
});
