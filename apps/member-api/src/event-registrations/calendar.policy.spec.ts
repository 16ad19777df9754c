import ICAL from 'ical.js';
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
  sequence: 3,
  host: 'school.example',
};

/** The properties of the only event of the calendar, as another library reads them. */
function read(entry: Partial<CalendarEntry>): Readonly<Record<string, unknown>> {
  const calendar = new ICAL.Component(ICAL.parse(calendarOf({ ...ENTRY, ...entry }, NOW)));
  const [event, ...others] = calendar.getAllSubcomponents();
  if (event?.name !== 'vevent' || others.length > 0) throw new Error('The calendar has other components');
  const properties = event.getAllProperties().map((one) => {
    const value: unknown = one.getFirstValue();
    return [one.name, value instanceof ICAL.Time ? value.toJSDate().toISOString() : value] as const;
  });
  expect(new Set(properties.map(([name]) => name)).size).toBe(properties.length);
  return Object.fromEntries(properties);
}

it('writes an event with times in UTC, which another library reads', () => {
  const text = calendarOf(ENTRY, NOW);
  expect(text).toContain('\r\nDTSTART:20270509T110000Z\r\nDTEND:20270509T133000Z\r\n');
  expect(text).toMatch(
    /^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:-\/\/Lyceum\/\/Events\/\/EN\r\n.*END:VCALENDAR\r\n$/s,
  );
  expect(read({})).toEqual({
    uid: '019ab3c0-a310-7b4c-9d5e-2f3a4b5c6d70@school.example',
    sequence: 3,
    dtstamp: '2026-12-01T10:00:00.000Z',
    dtstart: '2027-05-09T11:00:00.000Z',
    dtend: '2027-05-09T13:30:00.000Z',
    status: 'CONFIRMED',
    summary: 'Open evening',
    location: 'Taipei',
  });
});

it.each([
  ['registered', 'CONFIRMED'],
  ['checked_in', 'CONFIRMED'],
  ['no_show', 'CONFIRMED'],
  ['waitlisted', 'TENTATIVE'],
  ['canceled', 'CANCELLED'],
])('shows a registration that is %s as %s', (state, status) => {
  expect(read({ state })['status']).toBe(status);
});

it('leaves out what an event does not have, and shows where to join', () => {
  expect(read({ location: null })).not.toHaveProperty('location');
  expect(read({})).not.toHaveProperty('description');
  expect(read({ join_url: 'https://meet.example/a,b;c' })['description']).toBe('https://meet.example/a,b;c');
});

it.each([
  'A; B, C\\D',
  'Trailing backslash\\',
  'Two\nlines',
  'X\nEND:VEVENT\nBEGIN:VEVENT\nUID:attack',
  'X\nATTACH:https://attack.example/',
  'Colon: "quoted" ^n',
  '\u202egnp.exe\u202c \u2066isolate\u2069',
  'x'.repeat(67),
  'x'.repeat(68),
  '長'.repeat(200),
  `${'x'.repeat(66)}${'😀'.repeat(40)}`,
])('keeps the title %j one property, in lines of at most 75 octets', (name) => {
  expect(read({ name, location: name })).toEqual({ ...read({}), summary: name, location: name });
  for (const line of calendarOf({ ...ENTRY, name }, NOW).split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line.isWellFormed()).toBe(true);
  }
});

it.each(['\r\n', '\r'])('writes the line break %j of a title as text', (end) => {
  expect(read({ name: `Two${end}lines` })['summary']).toBe('Two\nlines');
});
