import { randomInt } from 'node:crypto';

/** A code that people type: at least three characters, and no hyphen or underscore at the beginning. */
export const CODE = /^[A-Za-z0-9][A-Za-z0-9_-]{2,39}$/;

/** Without letters and digits that look alike: I, L, O, 0 and 1. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** Random characters of a generated code. Ten of them have 49 bits, so a guess at any speed of the API fails. */
const RANDOM_LENGTH = 10;

/** Returns different codes with a prefix and a random end. */
export function newCodes(prefix: string, count: number): readonly string[] {
  const codes = new Set<string>();
  while (codes.size < count) codes.add(prefix + randomWord());
  return [...codes];
}

function randomWord(): string {
  return Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
