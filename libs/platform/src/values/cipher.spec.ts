import { randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './cipher.js';

describe('An encrypted secret', () => {
  const [key, next] = [[randomBytes(32)], [randomBytes(32)]] as const;

  it('decrypts a secret only with the key and the context of its encryption', () => {
    const sealed = encrypt(key, 'kid', 'secret');
    expect(decrypt(key, 'kid', sealed)).toBe('secret');
    expect(sealed.toString('latin1')).not.toContain('secret');
    expect(() => decrypt(next, 'kid', sealed)).toThrow('Unsupported state or unable to authenticate data');
    expect(() => decrypt(key, 'another', sealed)).toThrow('Unsupported state or unable to authenticate data');
  });

  it('decrypts secrets of each of its keys, and encrypts with the first', () => {
    const [old, young] = [
      [...key, ...next],
      [...next, ...key],
    ] as const;
    expect(decrypt(young, 'kid', encrypt(key, 'kid', 'secret'))).toBe('secret');
    expect(decrypt(old, 'kid', encrypt(young, 'kid', 'secret'))).toBe('secret');
    expect(decrypt(next, 'kid', encrypt(young, 'kid', 'secret'))).toBe('secret');
    expect(() => decrypt(young, 'another', encrypt(key, 'kid', 'secret'))).toThrow('unable to authenticate data');
  });

  it('detects every changed byte of an encrypted secret', () => {
    const sealed = encrypt(key, 'kid', 'secret');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => decrypt(key, 'kid', changed)).toThrow('Unsupported state or unable to authenticate data');
    }
  });
});
