import { PRICED, requireUnordered, takesPrice } from './ordered-price.policy.js';
import type { PricedTable } from './ordered-price.policy.js';

const price = { amount_minor: 100, currency: 'TWD' };

it.each([
  [price, { price: { amount_minor: 200, currency: 'TWD' } }, true],
  [price, { price: null }, true],
  [price, { name: 'Another name' }, false],
  [null, { price }, false],
])('says whether a row with the price %j loses it by the changes %j: %p', (known, changes, taken) => {
  expect(takesPrice({ price: known }, changes)).toBe(taken);
});

it.each(Object.keys(PRICED) as PricedTable[])('keeps the price of a row of %s that is ordered', (table) => {
  expect(() => requireUnordered(table, false)).not.toThrow();
  expect(() => requireUnordered(table, true)).toThrow(
    expect.objectContaining({
      code: 'resource_in_use',
      errors: [expect.objectContaining({ pointer: '/price', code: 'resource_in_use' })],
    }),
  );
});
