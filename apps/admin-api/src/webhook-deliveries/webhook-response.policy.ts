import { DELIVERY_LIMITS } from './webhook-delivery.policy.js';

const PREFIX = 'whsec_';
const REPLACEMENT = '[secret]';

/**
 * The part of a response that the log keeps: the first 16 KiB, without the secrets of the endpoint. A receiver can
 * print them by mistake. Null: the response is empty.
 */
export function storedResponse(beginning: Buffer, secrets: readonly string[]): string | null {
  // PostgreSQL stores no U+0000.
  const text = decoded(beginning).replaceAll('\0', '\uFFFD');
  const shown = secrets.reduce(withoutSecret, text);
  return shown === '' ? null : decoded(Buffer.from(shown).subarray(0, DELIVERY_LIMITS.storedBytes));
}

/** Leaves out a character that the end cuts. */
function decoded(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}

function withoutSecret(text: string, secret: string): string {
  return spellingsOf(secret).reduce((left, spelling) => left.replaceAll(spelling, REPLACEMENT), text);
}

/** A key as receivers print it: with and without its prefix, escaped in JSON and in URLs, and in hexadecimal. */
function spellingsOf(secret: string): string[] {
  const whole = secret.slice(PREFIX.length);
  const key = Buffer.from(whole, 'base64');
  const base64 = whole.replace(/=+$/, '');
  const hexadecimal = key.toString('hex');
  const spellings = [base64, base64.replaceAll('/', '\\/'), encodeURIComponent(base64), key.toString('base64url')];
  // The longest first: the padding belongs to the key.
  const padded = spellings.flatMap((spelling) => [`${spelling}=`, `${spelling}%3D`, spelling]);
  return [...padded.flatMap((one) => [PREFIX + one, one]), hexadecimal, hexadecimal.toUpperCase()];
}
