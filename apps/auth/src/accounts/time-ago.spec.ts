import { ago, timeAgo, timeLeft, until } from './time-ago.js';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  [-MINUTE, 'just now'],
  [0, 'just now'],
  [MINUTE - 1, 'just now'],
  [MINUTE, '1 minute ago'],
  [HOUR - 1, '59 minutes ago'],
  [HOUR, '1 hour ago'],
  [DAY - 1, '23 hours ago'],
  [DAY, '1 day ago'],
  [30 * DAY - 1, '29 days ago'],
  [30 * DAY, '1 month ago'],
  [364 * DAY, '12 months ago'],
  [800 * DAY, '2 years ago'],
])('says of %i milliseconds: %s', (age, expected) => {
  expect(ago(new Date(NOW.getTime() - age), NOW)).toBe(expected);
});

it('keeps the exact time in the attributes', () => {
  const { text } = timeAgo(new Date('2026-11-23T09:59:59.123Z'), NOW);
  expect(text).toBe('<time datetime="2026-11-23T09:59:59.123Z" title="2026-11-23 09:59:59 UTC">2 hours ago</time>');
});

it.each([
  [-1, 'in less than a minute'],
  [MINUTE - 1, 'in less than a minute'],
  [MINUTE, 'in 1 minute'],
  [DAY - 1, 'in 23 hours'],
  [DAY, 'in 1 day'],
])('says of %i milliseconds to come: %s', (left, expected) => {
  const at = new Date(NOW.getTime() + left);
  expect(until(at, NOW)).toBe(expected);
  expect(timeLeft(at, NOW).text).toContain(`>${expected}</time>`);
});
