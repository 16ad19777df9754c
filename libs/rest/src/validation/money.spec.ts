import { buildDocument } from '../openapi/document.js';
import { moneyIn } from './money.js';

describe('the document', () => {
  const { description } = buildDocument({ routes: [], tags: {} })['info'] as { readonly description: string };
  const listed = [...description.matchAll(/(\d) \(([A-Z, ]+)\)/g)].map(
    ([, digits, codes = '']) => [Number(digits), codes.split(', ')] as const,
  );

  it.each([
    ['JPY', 0],
    ['KWD', 3],
    ['IQD', 3],
    ['CLF', 4],
  ])('names the decimals of %s: %p', (code, digits) => {
    expect(listed.filter(([, codes]) => codes.includes(code)).map(([known]) => known)).toEqual([digits]);
  });

  it.each(['TWD', 'EUR'])('leaves out %s, which has two decimals', (code) => {
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.some(([, codes]) => codes.includes(code))).toBe(false);
  });

  it('names currencies that requests accept', () => {
    const codes = listed.flatMap(([, some]) => some);
    expect(codes.filter((currency) => !moneyIn.safeParse({ amount_minor: 1, currency }).success)).toEqual([]);
  });
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
