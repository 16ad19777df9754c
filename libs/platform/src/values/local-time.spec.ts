import { isTimeZone, localTime, timeZoneName } from './local-time.js';

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

it('makes one format for all spellings of a time zone', () => {
  const made = jest.spyOn(Intl, 'DateTimeFormat');
  const spellings = ['Antarctica/Troll', 'antarctica/troll', 'ANTARCTICA/TROLL'];
  const winter = Date.UTC(2026, 6, 1);
  expect(spellings.map((zone) => localTime(winter, zone) - winter)).toEqual([7_200_000, 7_200_000, 7_200_000]);
  expect(spellings.every(isTimeZone)).toBe(true);
  expect(made).toHaveBeenCalledTimes(1);
  made.mockRestore();
});

it.each([
  ['asia/taipei', 'Asia/Taipei'],
  ['uTC', 'UTC'],
  // Other names of listed zones.
  ['US/Pacific', 'US/Pacific'],
  ['No/Zone', 'No/Zone'],
])('spells %s as %s', (name, spelled) => expect(timeZoneName(name)).toBe(spelled));
