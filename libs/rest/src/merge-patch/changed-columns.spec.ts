import { z } from 'zod';
import { metadata } from '../validation/fields.js';
import { changedColumns } from './changed-columns.js';

const resource = {
  objects: ['seo'],
  records: ['metadata'],
  create: z.object({ metadata: metadata.prefault({}) }),
};
const keys = (from: number, to: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`k${from + index}`, 'x']));
const row = { name: 'A', seo: { title: 'T', description: null }, metadata: keys(0, 49), at: new Date(0) };

it.each<[string, object, object | undefined]>([
  ['nothing for values that the row has', { name: 'A', at: new Date(0), seo: { title: 'T' } }, undefined],
  ['a replaced value', { name: 'B' }, { name: 'B' }],
  [
    'an object with the members that the patch leaves out',
    { seo: { description: 'D' } },
    { seo: { title: 'T', description: 'D' } },
  ],
  ['a record without the keys that are null', { metadata: { k0: null } }, { metadata: keys(1, 49) }],
  ['an empty record for null', { metadata: null }, { metadata: {} }],
  ['a record at its limit', { metadata: { k49: 'x' } }, { metadata: keys(0, 50) }],
])('returns %s', (_what, patch, changes) => {
  expect(changedColumns(row, patch, resource)).toEqual(changes);
});

it('refuses a patch that merges a record beyond its limit', () => {
  expect(() => changedColumns(row, { metadata: { a: 'x', b: 'x' } }, resource)).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      errors: [expect.objectContaining({ pointer: '/metadata' })],
    }),
  );
});
