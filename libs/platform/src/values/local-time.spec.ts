import { isTimeZone } from './local-time.js';

it.each([
  ['Asia/Taipei', true],
  ['UTC', true],
  ['Asia/Kolkata', true],
  ['Etc/GMT+8', true],
  ['Japan', true],
  ['GB', true],
  ['GMT', true],
  ['EST5EDT', true],
  ['+08:00', false],
  ['Nowhere/At-All', false],
  ['', false],
  [`Asia/${'x'.repeat(60)}`, false],
  // PostgreSQL does not know these.
  ['AET', false],
  ['aet', false],
  ['US/Pacific-New', false],
  ['Canada/East-Saskatchewan', false],
  // These are other zones in PostgreSQL.
  ['BST', false],
  ['IST', false],
  ['CET', false],
])('accepts names of the IANA time zone database with one meaning only: %p is one: %p', (name, isName) => {
  expect(isTimeZone(name)).toBe(isName);
});
