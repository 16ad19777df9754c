import { articleOf, singularOf, wordsOf } from './words.ts';

it('spells a name of several words in every case', () => {
  expect(wordsOf('digital-products')).toEqual({
    kebab: 'digital-products',
    snake: 'digital_products',
    camel: 'digitalProducts',
    pascal: 'DigitalProducts',
    constant: 'DIGITAL_PRODUCTS',
    plain: 'digital products',
  });
});

it.each(['Coupons', 'gift_cards', 'gift--cards', '-a', '../a', ''])('refuses the name %j', (name) => {
  expect(() => wordsOf(name)).toThrow('lower-case words');
});

it.each([
  ['coupons', 'coupon'],
  ['digital-products', 'digital-product'],
  ['study-categories', 'study-category'],
  ['classes', 'class'],
  ['mail-boxes', 'mail-box'],
  ['invoices', 'invoice'],
])('makes the singular of %s', (plural, singular) => {
  expect(singularOf(plural)).toBe(singular);
});

it.each(['people', 'access'])('asks for the singular of %s', (plural) => {
  expect(() => singularOf(plural)).toThrow('--singular');
});

it('chooses the article by the first letter', () => {
  expect([articleOf('order'), articleOf('coupon')]).toEqual(['an', 'a']);
});
