import { isUuid } from './uuid.js';

const UUID = '0198a1b2-0000-7000-8000-00000000abcd';

it('accepts a UUID in lower case', () => {
  expect(isUuid(UUID)).toBe(true);
});

it.each(['', UUID.toUpperCase(), ` ${UUID}`, `${UUID}\n`, `${UUID}0`, UUID.slice(1), UUID.replaceAll('-', '')])(
  'refuses %p',
  (text) => {
    expect(isUuid(text)).toBe(false);
  },
);
