import {
  accessEndOf,
  requireFiles,
  requireFilesIfPublic,
  requireNotArchived,
  requirePrices,
  usesOf,
} from './digital-product.policy.js';

const twd = (amount_minor: number) => ({ amount_minor, currency: 'TWD' });
const code = (name: string) => expect.objectContaining({ code: name });
const refusal = (pointer: string) =>
  expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ pointer })] });

it.each([
  [{ price: twd(100), compare_at_price: null }, 'EUR', '/price/currency'],
  [{ price: twd(100), compare_at_price: { amount_minor: 200 } }, null, '/compare_at_price'],
  [{ price: twd(100), compare_at_price: { amount_minor: 200, currency: 'EUR' } }, null, '/compare_at_price/currency'],
  [{ price: twd(100), compare_at_price: twd(100) }, 'TWD', '/compare_at_price/amount_minor'],
])('refuses the prices %j at a school with the currency %p', (prices, currency, pointer) => {
  expect(() => requirePrices(prices, currency)).toThrow(refusal(pointer));
});

it.each([
  [{ price: twd(0), compare_at_price: null }, null],
  [{ price: twd(100), compare_at_price: null }, 'TWD'],
  [{ price: twd(100), compare_at_price: twd(101) }, null],
])('accepts the prices %j at a school with the currency %p', (prices, currency) => {
  expect(() => requirePrices(prices, currency)).not.toThrow();
});

it('publishes a product with a file only', () => {
  expect(() => requireFiles([{}])).not.toThrow();
  expect(() => requireFiles([])).toThrow(code('invalid_state'));
});

it.each([
  ['published', [], false],
  ['published', [{}], true],
  ['unpublished', [], true],
  ['draft', [], true],
] as const)('allows a product that is %s to have the files %j: %p', (state, files, allowed) => {
  const change = () => requireFilesIfPublic({ state, files });
  if (allowed) expect(change).not.toThrow();
  else expect(change).toThrow(code('invalid_state'));
});

it('refuses changes of an archived product only', () => {
  for (const state of ['draft', 'published', 'unpublished'] as const)
    expect(() => requireNotArchived(state, 'change')).not.toThrow();
  expect(() => requireNotArchived('archived', 'change')).toThrow(code('invalid_state'));
});

it.each([
  [null, null],
  [1, '2026-03-01T10:30:00.000Z'],
  [365, '2027-02-28T10:30:00.000Z'],
])('ends access of %p days at %p', (access_days, end) => {
  const terms = { access_days, time_zone: 'UTC' };
  expect(accessEndOf(terms, new Date('2026-02-28T10:30:00Z'))?.toISOString() ?? null).toBe(end);
});

it('ends access at the same local time across a change of the clock', () => {
  const end = accessEndOf({ access_days: 1, time_zone: 'Europe/Berlin' }, new Date('2027-03-27T10:30:00Z'));
  expect(end?.toISOString()).toBe('2027-03-28T09:30:00.000Z');
});

it('names each file by its place', () => {
  expect(usesOf([{ file_id: 'a' }, { file_id: 'b' }])).toEqual([
    { file_id: 'a', pointer: '/files/0/file_id', purpose: 'attachment' },
    { file_id: 'b', pointer: '/files/1/file_id', purpose: 'attachment' },
  ]);
});
