import { isTimeZone } from './local-time.js';

it.each([
  ['Asia/Taipei', true],
  ['UTC', true],
  ['Asia/Kolkata', true],
  ['+08:00', false],
  ['Nowhere/At-All', false],
  ['', false],
  [`Asia/${'x'.repeat(60)}`, false],
])('accepts names of the IANA time zone database only: %p is one: %p', (name, isName) => {
  expect(isTimeZone(name)).toBe(isName);
});
