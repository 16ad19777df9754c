import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The values of a secret. The first one is used for new work, and all of them are accepted. */
export type SecretKeys = readonly [first: Buffer, ...others: Buffer[]];

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM under the first key: nonce, tag, ciphertext. `context` is authenticated, so that a secret cannot be moved
 * to another row.
 */
export function encrypt([key]: SecretKeys, context: string, plain: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** @throws for a text of none of the keys, and for a changed text or context */
export function decrypt([key, next, ...others]: SecretKeys, context: string, sealed: Buffer): string {
  try {
    return decryptWith(key, context, sealed);
  } catch (error) {
    if (next === undefined) throw error;
    return decrypt([next, ...others], context, sealed);
  }
}

function decryptWith(key: Buffer, context: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
