import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Cursors } from './cursor.js';

const cursors = new Cursors([randomBytes(32)]);
const invalid = expect.objectContaining({ code: 'invalid_cursor' });

const filters = fc.dictionary(fc.string({ maxLength: 5 }), fc.option(fc.string({ maxLength: 5 }), { nil: undefined }), {
  maxKeys: 4,
  noNullPrototype: true,
});
const context = fc.record({
  collection: fc.constantFrom('courses', 'students'),
  site_id: fc.constantFrom('a', 'b'),
  sort: fc.constantFrom('-created_at', 'created_at', 'name'),
  filters,
});
const position = fc.tuple(fc.string({ unit: 'binary' }), fc.uuid());
const present = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

it('opens each cursor to its position, for its own context in any order of the filters', () => {
  fc.assert(
    fc.property(context, position, (given, at) => {
      const cursor = cursors.seal(given, at);
      expect(cursor).toMatch(/^[\w-]+$/);
      const reordered = Object.fromEntries(Object.entries(given.filters).toReversed());
      expect(cursors.open({ ...given, filters: { ...reordered, absent: undefined } }, cursor)).toEqual(at);
    }),
    { numRuns: 500 },
  );
});

it('opens no cursor for another context', () => {
  fc.assert(
    fc.property(context, context, position, (given, other, at) => {
      const [from, to] = [given, other].map((one) => ({ ...one, filters: present(one.filters) }));
      fc.pre(!isDeepStrictEqual(from, to));
      expect(() => cursors.open(other, cursors.seal(given, at))).toThrow(invalid);
    }),
    { numRuns: 500 },
  );
});

it('opens no text that it has not made', () => {
  const sealedText = fc.uint8Array({ maxLength: 90 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
  fc.assert(
    fc.property(context, fc.oneof(fc.string(), sealedText), (given, text) => {
      expect(() => cursors.open(given, text)).toThrow(invalid);
    }),
    { numRuns: 500 },
  );
});
