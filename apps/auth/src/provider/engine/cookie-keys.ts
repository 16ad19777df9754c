import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/**
 * Signs the cookies of the engine in place of Keygrip, with the same signatures. Keygrip imports its keys for each
 * signature, and computes two further HMACs to compare two signatures.
 */
export class CookieKeys {
  readonly #newest: KeyObject;
  readonly #keys: readonly KeyObject[];

  /** The first key signs, all keys verify. */
  constructor([newest, ...older]: readonly string[]) {
    if (newest === undefined) throw new Error('A signed cookie needs a key');
    this.#newest = keyOf(newest);
    this.#keys = [this.#newest, ...older.map(keyOf)];
  }

  sign(data: string): string {
    return signature(data, this.#newest);
  }

  verify(data: string, digest: string): boolean {
    return this.index(data, digest) > -1;
  }

  /** The index of the key of a signature; -1 for a wrong one. */
  index(data: string, digest: string): number {
    const given = Buffer.from(digest);
    return this.#keys.findIndex((key) => {
      const expected = Buffer.from(signature(data, key));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
}

const keyOf = (text: string): KeyObject => createSecretKey(Buffer.from(text));

function signature(data: string, key: KeyObject): string {
  return createHmac('sha1', key).update(data).digest('base64url');
}
