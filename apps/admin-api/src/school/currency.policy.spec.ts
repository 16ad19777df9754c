import { currencyError, requireCurrency } from './currency.policy.js';

const detail = 'The currency of the school is TWD';

it('refuses a price in another currency than that of the school', () => {
  const errors = [{ pointer: '/price/currency', code: 'invalid_value', detail }];
  expect(() => requireCurrency({ currency: 'EUR' }, 'TWD')).toThrow(
    expect.objectContaining({ code: 'validation_failed', message: 'The price does not fit', errors }),
  );
  expect(() => requireCurrency({}, 'TWD')).toThrow(expect.objectContaining({ errors }));
});

it.each([
  [null, 'TWD'],
  [{ currency: 'TWD' }, 'TWD'],
  [{ currency: 'EUR' }, null],
])('accepts the price %j at a school with the currency %p', (price, school) => {
  expect(() => requireCurrency(price, school)).not.toThrow();
  expect(currencyError('/price/currency', price, school)).toBeUndefined();
});

it('names the money in another currency', () => {
  expect(currencyError('/discount/amount/currency', { currency: 'EUR' }, 'TWD')).toEqual({
    pointer: '/discount/amount/currency',
    code: 'invalid_value',
    detail,
  });
});
