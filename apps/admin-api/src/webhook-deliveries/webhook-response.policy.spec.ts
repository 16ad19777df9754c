import { newSecret } from '#src/webhook-endpoints/webhook-secret.policy.js';
import { storedResponse } from './webhook-response.policy.js';

const STORED = 16 * 1024;
const store = (text: string, secrets: readonly string[] = []): string | null =>
  storedResponse(Buffer.from(text), secrets);

/** A key whose Base64 has all characters that are escaped somewhere. */
const KEY = Buffer.from('fbff7eabcdef0123456789fffbefbeffd00dfeedc0ffee00112233445566778f', 'hex');
const BASE64 = KEY.toString('base64');
const SECRET = `whsec_${BASE64}`;

it('stores no empty response', () => {
  expect(store('')).toBeNull();
});

it.each([
  [STORED, STORED],
  [STORED + 1, STORED],
])('stores of %i characters %i', (given, stored) => {
  expect(store('a'.repeat(given))).toBe('a'.repeat(stored));
});

it('cuts between characters', () => {
  expect(store(`${'a'.repeat(STORED - 1)}é`)).toBe('a'.repeat(STORED - 1));
  expect(store(`${'a'.repeat(STORED - 2)}é`)).toBe(`${'a'.repeat(STORED - 2)}é`);
  expect(storedResponse(Buffer.from('aé').subarray(0, 2), [])).toBe('a');
});

it('stores characters that PostgreSQL does not accept as U+FFFD', () => {
  expect(store('a\0b')).toBe('a\uFFFDb');
});

it.each([
  ['the secret', SECRET],
  ['the key', BASE64],
  ['the key without padding', BASE64.replace(/=+$/, '')],
  ['the secret in JSON with escaped slashes', SECRET.replaceAll('/', '\\/')],
  ['the secret in a URL', encodeURIComponent(SECRET)],
  ['the key in Base64 for URLs', KEY.toString('base64url')],
  ['the key in hexadecimal', KEY.toString('hex')],
  ['the key in upper-case hexadecimal', KEY.toString('hex').toUpperCase()],
])('replaces %s', (_name, spelling) => {
  expect(BASE64).toMatch(/(?=.*\/)(?=.*\+).*=$/);
  expect(store(`key: "${spelling}", again: ${spelling}.`, [newSecret(), SECRET])).toBe(
    'key: "[secret]", again: [secret].',
  );
});

it('replaces a secret that the end of the stored part would cut', () => {
  const stored = store(`${'a'.repeat(STORED - 20)}${SECRET}`, [SECRET]);
  expect(stored).toBe(`${'a'.repeat(STORED - 20)}[secret]`);
});

it('keeps other keys', () => {
  const other = newSecret();
  expect(store(other, [SECRET])).toBe(other);
});
