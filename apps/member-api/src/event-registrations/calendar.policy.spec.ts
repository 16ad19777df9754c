import { calendarOf } from './calendar.policy.js';
import type { CalendarEntry } from './calendar.policy.js';

const NOW = new Date('2026-12-01T10:00:00.123Z');
const ENTRY: CalendarEntry = {
  event_id: '019ab3c0-a310-7b4c-9d5e-2f3a4b5c6d70',
  name: 'Open evening',
  starts_at: new Date('2027-05-09T11:00:00.000Z'),
  ends_at: new Date('2027-05-09T13:30:00.999Z'),
  location: 'Taipei',
  join_url: null,
  state: 'registered',
  version: 3,
  url: 'https://school.example/events/open-evening',
};

const lines = (entry: Partial<CalendarEntry> = {}): string[] => calendarOf({ ...ENTRY, ...entry }, NOW).split('\r\n');
/** Joins the lines again as a reader does. */
const unfolded = (text: string): string[] => text.replaceAll('\r\n ', '').split('\r\n');

it('writes an event with times in UTC', () => {
  expect(lines()).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Lyceum//Events//EN',
    'BEGIN:VEVENT',
    'UID:019ab3c0-a310-7b4c-9d5e-2f3a4b5c6d70@school.example',
    'DTSTAMP:20261201T100000Z',
    'DTSTART:20270509T110000Z',
    'DTEND:20270509T133000Z',
    'SEQUENCE:3',
    'STATUS:CONFIRMED',
    'SUMMARY:Open evening',
    'LOCATION:Taipei',
    'URL:https://school.example/events/open-evening',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

it.each([
  ['registered', 'CONFIRMED'],
  ['checked_in', 'CONFIRMED'],
  ['no_show', 'CONFIRMED'],
  ['waitlisted', 'TENTATIVE'],
  ['canceled', 'CANCELLED'],
])('shows a registration that is %s as %s', (state, status) => {
  expect(lines({ state })).toContain(`STATUS:${status}`);
});

it('escapes text, and leaves out what an event does not have', () => {
  const text = lines({ name: 'A; B, C\\D\nE', location: null, join_url: 'https://meet.example/a,b' });
  expect(text).toContain(String.raw`SUMMARY:A\; B\, C\\D\nE`);
  expect(text).toContain(String.raw`DESCRIPTION:https://meet.example/a\,b`);
  expect(text.some((line) => line.startsWith('LOCATION'))).toBe(false);
});

it.each(['x'.repeat(67), 'x'.repeat(68), '長'.repeat(200), `${'x'.repeat(66)}${'😀'.repeat(40)}`])(
  'folds lines at 75 octets and never within a character: %s',
  (name) => {
    const calendar = calendarOf({ ...ENTRY, name }, NOW);
    for (const line of calendar.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line.isWellFormed()).toBe(true);
    }
    expect(unfolded(calendar)).toContain(`SUMMARY:${name}`);
  },
);

it('folds a line of 76 octets and none of 75', () => {
  const folds = (name: string): boolean => lines({ name }).some((line) => line.startsWith(' '));
  expect([folds('x'.repeat(67)), folds('x'.repeat(68))]).toEqual([false, true]);
});
