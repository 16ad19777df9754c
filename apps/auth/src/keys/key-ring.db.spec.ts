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

  /** Moves the start of all keys into the past. */
  const aged = (by: string) => identity.sql('UPDATE signing_keys SET signs_from = signs_from - $1::interval', [by]);
  const rotations = async (): Promise<number> =>
    (await identity.sql(`SELECT 1 FROM audit_log WHERE event = 'key.rotated'`)).length;

  it('creates one key at the first start of several replicas', async () => {
    const rings = Array.from({ length: 6 }, () => replica());
    const sets = await Promise.all(rings.map((ring) => ring.current()));
    const [row, ...rest] = await stored();
    expect(rest).toEqual([]);
    expect(new Set(sets.map(({ privateKeys }) => privateKeys[0]?.kid))).toEqual(new Set([row?.kid]));
    expect(sets.every(({ signing }) => signing)).toBe(true);
    for (const ring of rings) ring.onApplicationShutdown();
  });

  it('encrypts private keys at rest', async () => {
    const ring = replica();
    const { privateKeys } = await ring.current();
    const [row] = await stored();
    expect(row?.private_jwk.toString('latin1')).not.toContain(privateKeys[0]?.d);
    ring.onApplicationShutdown();
  });

  it('refuses to start with another encryption key instead of creating new signing keys', async () => {
    const first = replica();
    await first.current();
    const wrong = replica({ KEY_ENCRYPTION_KEY: [randomBytes(32)] });
    await expect(wrong.current()).rejects.toThrow('unable to authenticate');
    expect(await stored()).toHaveLength(1);
    first.onApplicationShutdown();
  });

  it('creates one scheduled key across replicas, and all of them use it', async () => {
    const rings = Array.from({ length: 6 }, () => replica({ KEY_ROTATION_DAYS: 90 }));
    for (const ring of rings) await ring.current();
    await aged('88 days');
    const audited = await rotations();
    expect(await Promise.all(rings.map((ring) => ring.rotateWhenDue()))).toEqual(Array(6).fill(undefined));
    await aged('1 day');
    const made = await Promise.all(rings.map((ring) => ring.rotateWhenDue()));
    const kids = made.filter((kid) => kid !== undefined);
    expect(kids).toHaveLength(1);
    expect([(await stored()).length, await rotations()]).toEqual([2, audited + 1]);
    for (const ring of rings) {
      await ring.reload();
      const { publicKeys, signing } = await ring.current();
      expect([signing, publicKeys.length, publicKeys[1]?.kid]).toEqual([true, 2, kids[0]]);
      ring.onApplicationShutdown();
    }
  });

  it('leaves rotation to the command when the schedule is off', async () => {
    const ring = replica({ KEY_ROTATION_DAYS: 0 });
    await ring.current();
    await aged('9000 days');
    expect(await ring.rotateWhenDue()).toBeUndefined();
    expect(await stored()).toHaveLength(1);
    await ring.rotate();
    expect(await stored()).toHaveLength(2);
    ring.onApplicationShutdown();
  });

  it('creates no key that other replicas could not decrypt', async () => {
    const first = replica();
    await first.current();
    await aged('1000 days');
    const wrong = replica({ KEY_ENCRYPTION_KEY: [randomBytes(32)] });
    await expect(wrong.rotateWhenDue()).rejects.toThrow('unable to authenticate');
    await expect(wrong.rotate()).rejects.toThrow('unable to authenticate');
    expect(await stored()).toHaveLength(1);
    first.onApplicationShutdown();
  });

  it('re-encrypts its keys under a new encryption key, while replicas have both', async () => {
    const [old, young] = [randomBytes(32), randomBytes(32)];
    const first = replica({ KEY_ENCRYPTION_KEY: [old] });
    const kid = (await first.current()).privateKeys[0]?.kid;
    const both = replica({ KEY_ENCRYPTION_KEY: [young, old] });
    expect((await both.current()).privateKeys[0]?.kid).toBe(kid);
    await expect(replica({ KEY_ENCRYPTION_KEY: [young] }).current()).rejects.toThrow('unable to authenticate');
    expect(await both.reEncrypt()).toBe(1);
    for (const keys of [[young], [old, young]] as const) {
      const ring = replica({ KEY_ENCRYPTION_KEY: keys });
      expect((await ring.current()).privateKeys[0]?.kid).toBe(kid);
      ring.onApplicationShutdown();
    }
    await expect(replica({ KEY_ENCRYPTION_KEY: [old] }).current()).rejects.toThrow('unable to authenticate');
    first.onApplicationShutdown();
    both.onApplicationShutdown();
  });

  it('reports that no key signs while the only key is published ahead of its time', async () => {
    const ring = replica();
    await ring.rotate();
    await identity.sql(`UPDATE signing_keys SET signs_from = now() + interval '1 minute'`);
    const set = await ring.current();
    expect([set.signing, set.publicKeys.length]).toEqual([false, 1]);
    ring.onApplicationShutdown();
  });
});
