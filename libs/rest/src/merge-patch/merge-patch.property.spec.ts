import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@lyceum/platform';
import fc from 'fast-check';
import { z } from 'zod';
import { changedColumns } from './changed-columns.js';

const title = z.string().nullable().default(null);
const resource = {
  objects: ['seo'],
  records: ['metadata'],
  create: z.object({
    metadata: z.record(z.string(), z.string()),
    seo: z.strictObject({ title, description: title }).nullable(),
  }),
};

/** The function of RFC 7396, section 2. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

/** A column that is null, and an object without values, are what RFC 7396 leaves out. */
function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutNulls(member)] as const);
  const present = members.filter(([, member]) => member !== null && member !== undefined);
  return present.length === 0 ? undefined : Object.fromEntries(present);
}

it.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('merges as the example of RFC 7396, appendix A, says: %j, %j', (target, patch, result) => {
  expect(mergePatch(target, patch)).toEqual(result);
});

/** The database and the parser of bodies make plain objects. */
const PLAIN = { noNullPrototype: true } as const;
const PART = { ...PLAIN, requiredKeys: [] };

const text = fc.constantFrom('', 'x', 'y');
const word = fc.option(text);
const key = fc.constantFrom('a', 'b', 'c');
const row = fc.record(
  {
    name: text,
    note: word,
    tags: fc.array(text, { maxLength: 2 }),
    seo: fc.option(fc.record({ title: word, description: word }, PLAIN)),
    metadata: fc.dictionary(key, text, PLAIN),
  },
  PLAIN,
);
const patch = fc.record(
  {
    name: text,
    note: word,
    tags: fc.array(text, { maxLength: 2 }),
    seo: fc.option(fc.record({ title: word, description: word }, PART)),
    metadata: fc.option(fc.dictionary(key, word, PLAIN)),
  },
  PART,
);

/** Half of the patches repeat values of the row. */
const patched = row.chain((before) => {
  const repeated = fc
    .subarray(Object.entries(before))
    .map((members): Partial<typeof before> => Object.fromEntries(members));
  return fc.tuple(fc.constant(before), fc.oneof(patch, repeated));
});

it('changes a row as RFC 7396 merges a patch, once, and only if the patch changes it', () => {
  const seen = { changed: 0, same: 0 };
  fc.assert(
    fc.property(patched, ([before, given]) => {
      const wanted = withoutNulls(mergePatch(before, given));
      const changes = changedColumns(before, given, resource);
      const after = { ...before, ...changes };
      expect(withoutNulls(after)).toEqual(wanted);
      expect(changes === undefined).toBe(isDeepStrictEqual(withoutNulls(before), wanted));
      expect(changedColumns(after, given, resource)).toBeUndefined();
      seen[changes === undefined ? 'same' : 'changed'] += 1;
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(seen.changed, seen.same)).toBeGreaterThan(100);
});
