import { currencyExponent, moneyIn } from './money.js';

it.each([
  ['JPY', 0],
  ['TWD', 2],
  ['EUR', 2],
  ['KWD', 3],
  ['IQD', 3],
  ['CLF', 4],
  ['AAA', undefined],
])('knows the exponent of %s: %p', (code, exponent) => {
  expect(currencyExponent(code)).toBe(exponent);
});

it.each([
  [0, true],
  [2_147_483_648, true],
  [Number.MAX_SAFE_INTEGER, true],
  [Number.MAX_SAFE_INTEGER + 1, false],
  [-1, false],
  [0.5, false],
  ['1', false],
])('decides about an amount of %p: %p', (amount_minor, accepted) => {
  expect(moneyIn.safeParse({ amount_minor, currency: 'TWD' }).success).toBe(accepted);
});

it.each(['twd', 'AAA', 'TW', ''])('refuses %p as a currency', (currency) => {
  expect(moneyIn.safeParse({ amount_minor: 1, currency }).success).toBe(false);
});
