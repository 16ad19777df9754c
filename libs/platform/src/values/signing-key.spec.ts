import { createHmac } from 'node:crypto';
import { SigningKey } from './signing-key.js';

const master = Buffer.alloc(32, 7);
const next = Buffer.alloc(32, 8);
const key = new SigningKey([master], 'cursor.v1', 'site', 'courses');
const bytes = Buffer.from('["2026-11-22T12:00:00Z","id"]');
const sealed = key.seal(bytes);

describe('SigningKey', () => {
  it.each([32, 64, 65])('appends the HMAC of its subject with a key of %d bytes', (length) => {
    const long = Buffer.alloc(length, 7);
    const derived = createHmac('sha256', long).update('link.v1\0site').digest();
    const tag = createHmac('sha256', derived).update(bytes).digest().subarray(0, 16);
    const opened = Buffer.from(new SigningKey([long], 'link.v1', 'site').seal(bytes), 'base64url');
    expect(opened).toEqual(Buffer.concat([bytes, tag]));
  });

  it.each([0, 1, 24, 200])('opens %d bytes that it sealed', (length) => {
    const some = Buffer.alloc(length, 0xfb);
    expect(key.open(key.seal(some))).toEqual(some);
  });

  it.each([
    ['another purpose', new SigningKey([master], 'link.v1', 'site', 'courses')],
    ['another site', new SigningKey([master], 'cursor.v1', 'other', 'courses')],
    ['parts that are joined at another place', new SigningKey([master], 'cursor.v1', 'sitecourses')],
    ['another key of the configuration', new SigningKey([next], 'cursor.v1', 'site', 'courses')],
    ['another subject, with several keys', new SigningKey([next, master], 'link.v1', 'site', 'courses')],
  ])('rejects a value of %s', (_, other) => {
    expect(other.open(sealed)).toBeUndefined();
  });

  it.each([
    ['before', [master], [master, next]],
    ['during', [master, next], [next, master]],
    ['after', [next, master], [next]],
  ] as const)('opens the values of both configurations %s a switch of keys', (_when, old, young) => {
    const [one, other] = [old, young].map((keys) => new SigningKey(keys, 'cursor.v1', 'site', 'courses'));
    expect(one?.open(other?.seal(bytes) ?? '')).toEqual(bytes);
    expect(other?.open(one?.seal(bytes) ?? '')).toEqual(bytes);
  });

  it('seals with the first key, and rejects values of a key that was removed', () => {
    const both = new SigningKey([next, master], 'cursor.v1', 'site', 'courses');
    expect(both.seal(bytes)).toBe(new SigningKey([next], 'cursor.v1', 'site', 'courses').seal(bytes));
    expect(new SigningKey([next], 'cursor.v1', 'site', 'courses').open(sealed)).toBeUndefined();
  });

  it('rejects a value with one changed character, the last one included', () => {
    const changed = Array.from(sealed, (character, at) => {
      return `${sealed.slice(0, at)}${character === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    });
    expect(changed).toHaveLength(sealed.length);
    expect(changed.filter((value) => key.open(value) !== undefined)).toEqual([]);
  });

  it.each([
    ['an empty text', ''],
    ['a tag that is cut off', sealed.slice(0, -1)],
    ['more characters', `${sealed}A`],
    ['padding', `${sealed}=`],
    ['a line feed', `${sealed}\n`],
    ['characters of base64 that are not in base64url', sealed.replaceAll('-', '+').replaceAll('_', '/') + '+'],
    ['no ASCII', '💥'.repeat(27)],
  ])('rejects %s', (_, value) => {
    expect(key.open(value)).toBeUndefined();
  });
});
