import { z } from 'zod';
import { metadata } from '../validation/fields.js';
import { changedColumns } from './changed-columns.js';

const text = z.string().nullable().default(null);
const price = z.strictObject({ amount_minor: z.int(), currency: z.string().transform((code) => ({ code })) });
const resource = {
  objects: ['seo', 'price'],
  records: ['metadata'],
  create: z.object({
    metadata: metadata.prefault({}),
    seo: z.strictObject({ title: text, description: text }).nullable(),
    price: price.nullable(),
  }),
};
const keys = (from: number, to: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`k${from + index}`, 'x']));
const row = { name: 'A', seo: { title: 'T', description: null }, metadata: keys(0, 49), at: new Date(0), price: null };
const EUR = { code: 'EUR' };

it.each<[string, object, object | undefined]>([
  ['nothing for values that the row has', { name: 'A', at: new Date(0), seo: { title: 'T' } }, undefined],
  ['a replaced value', { name: 'B' }, { name: 'B' }],
  [
    'an object with the members that the patch leaves out',
    { seo: { description: 'D' } },
    { seo: { title: 'T', description: 'D' } },
  ],
  [
    'a whole object for null',
    { price: { amount_minor: 1, currency: EUR } },
    { price: { amount_minor: 1, currency: EUR } },
  ],
  ['a record without the keys that are null', { metadata: { k0: null } }, { metadata: keys(1, 49) }],
  ['an empty record for null', { metadata: null }, { metadata: {} }],
  ['a record at its limit', { metadata: { k49: 'x' } }, { metadata: keys(0, 50) }],
])('returns %s', (_what, patch, changes) => {
  expect(changedColumns(row, patch, resource)).toEqual(changes);
});

it.each([
  [{ amount_minor: 1 }, ['/price/currency']],
  [{ currency: EUR }, ['/price/amount_minor']],
  [{}, ['/price/amount_minor', '/price/currency']],
])('refuses the part %j of an object that is null', (part, pointers) => {
  expect(() => changedColumns(row, { price: part }, resource)).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      errors: pointers.map((pointer) => expect.objectContaining({ pointer })),
    }),
  );
  const priced = { ...row, price: { amount_minor: 2, currency: EUR } };
  expect(changedColumns(priced, { price: { amount_minor: 1 } }, resource)).toEqual({
    price: { amount_minor: 1, currency: EUR },
  });
});

it('fills an object of optional members that is null', () => {
  const seo = { title: 'T' };
  expect(changedColumns({ ...row, seo: null }, { seo }, resource)).toEqual({ seo });
});

it('refuses a patch that merges a record beyond its limit', () => {
  expect(() => changedColumns(row, { metadata: { a: 'x', b: 'x' } }, resource)).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      errors: [expect.objectContaining({ pointer: '/metadata' })],
    }),
  );
});
