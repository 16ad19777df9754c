import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA-256, cut to its first half (RFC 2104 §5). */
const TAG_BYTES = 16;
/** Block size of SHA-256 (FIPS 180-4 §1). */
const BLOCK_BYTES = 64;

/**
 * A key for one purpose, derived from a key of the configuration and the words that say what it signs. Both sides can
 * sign with it: this process, and PostgreSQL for what it lists, from `inner` and `outer`.
 */
export class SigningKey {
  readonly #key: Buffer;
  #inner: Buffer | undefined;
  #outer: Buffer | undefined;

  constructor(master: Buffer, subject: string) {
    this.#key = createHmac('sha256', master).update(subject).digest();
  }

  /** The key in the two blocks of RFC 2104 §2: HMAC(text) = H(outer, H(inner, text)). */
  get inner(): Buffer {
    return (this.#inner ??= block(this.#key, 0x36));
  }

  get outer(): Buffer {
    return (this.#outer ??= block(this.#key, 0x5c));
  }

  /** The signed bytes without their tag; undefined when the tag is not that of this key. */
  open(signed: Buffer): Buffer | undefined {
    const bytes = signed.subarray(0, -TAG_BYTES);
    const tag = createHmac('sha256', this.#key).update(bytes).digest().subarray(0, TAG_BYTES);
    const given = signed.subarray(-TAG_BYTES);
    return given.length === TAG_BYTES && timingSafeEqual(tag, given) ? bytes : undefined;
  }
}

function block(key: Buffer, pad: number): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES, pad);
  for (let i = 0; i < key.length; i += 1) bytes[i] = pad ^ (key[i] ?? 0);
  return bytes;
}

/**
 * An SQL expression for bytes with their tag in base64url; `inner` and `outer` are parameters with the blocks of the
 * key. PostgreSQL breaks base64 after 76 characters (RFC 2045 §6.8), so line feeds go with the padding.
 */
export function signedSql(bytes: string, inner: string, outer: string): string {
  const tag = `substr(sha256(${outer}::bytea || sha256(${inner}::bytea || ${bytes})), 1, ${TAG_BYTES})`;
  return `translate(encode(${bytes} || ${tag}, 'base64'), E'+/=\\n', '-_')`;
}
