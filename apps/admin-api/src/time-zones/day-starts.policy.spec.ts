import { startsOfDays } from './day-starts.policy.js';
import { DAY_MS, localTime } from '@lyceum/platform';

const daysOf = (year: number): number[] => {
  const first = Date.UTC(year, 0);
  return Array.from({ length: (Date.UTC(year + 1, 0) - first) / DAY_MS }, (_, index) => first + index * DAY_MS);
};

it.each([
  ['Asia/Taipei', 2026],
  ['Asia/Katmandu', 2026],
  ['America/New_York', 2024],
  ['Australia/Lord_Howe', 2026],
  ['Africa/Casablanca', 2025],
  ['Pacific/Kiritimati', 2026],
])('finds the first instant of each day of %s in %i', (timeZone, year) => {
  const days = daysOf(year);
  const starts = startsOfDays(days, timeZone).map((start) => start.getTime());
  expect(starts.map((start) => localTime(start, timeZone))).toEqual(days);
  expect(starts.filter((start, index) => localTime(start - 1, timeZone) >= days[index]!)).toEqual([]);
});

it.each([
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
])('begins a day without a midnight in %s when it would have one', (timeZone, day, expected) => {
  const [start] = startsOfDays([Date.parse(day)], timeZone);
  expect(start?.toISOString()).toBe(expected);
});

it('finds days of more years than it keeps, and the first one again', () => {
  const days = Array.from({ length: 201 }, (_, index) => Date.UTC(1_900 + index, 0));
  const all = startsOfDays([...days, days[0]!], 'UTC').map((start) => start.getTime());
  expect(all).toEqual([...days, days[0]!]);
});
