import { textOf } from '#src/messages/messages.js';
import { MINUTES_BEFORE, eventAppointment, bookingAppointment, reminderOf } from './reminders.policy.js';

const EVENT = {
  event_id: 'event',
  site_id: 'site',
  external_id: null,
  slug: 'regatta',
  name: 'Regatta',
  image_url: null,
  hosting_type: 'zoom' as const,
  join_url: null,
  location: null,
  starts_at: '2026-12-01T10:00:00.000Z',
  ends_at: '2026-12-01T11:00:00.000Z',
  timezone: 'UTC',
  tickets: [],
  canceled_at: null,
};
const BOOKING = {
  booking_id: 'booking',
  site_id: 'site',
  slot_id: 'slot',
  purchase_id: 'purchase',
  consulting_service_id: 'service',
  starts_at: EVENT.starts_at,
  ends_at: EVENT.ends_at,
  join_url: null,
};

it.each([
  ['published', 'Regatta'],
  ['draft', null],
  ['live', null],
  ['ended', null],
  ['canceled', null],
  ['deleted', null],
] as const)('plans for an event that is %s a reminder of: %p', (state, title) => {
  expect(eventAppointment({ ...EVENT, state }).title).toBe(title);
});

it.each([
  ['scheduled', 'session'],
  ['completed', null],
  ['no_show', null],
  ['canceled', null],
] as const)('plans for a session that is %s a reminder of: %p', (state, title) => {
  expect(bookingAppointment({ ...BOOKING, person_id: 'ada', state })?.title).toBe(title);
});

it('plans no reminder of a session without a linked member', () => {
  expect(bookingAppointment({ ...BOOKING, person_id: null, state: 'scheduled' })).toBeNull();
});

it('formats the time before an event or session, and when it starts', () => {
  const texts = MINUTES_BEFORE.flatMap((minutes) =>
    ['event_starting', 'consulting_starting'].flatMap((kind) => {
      const given = { event: 'Regatta', minutes, start: '2026-12-01 10:00 (UTC)' };
      return ['title', 'body'].map((part) => textOf(`${kind}.${part}`, given, { person: null, site: null }));
    }),
  );
  const body = 'It starts on 2026-12-01 10:00 (UTC).';
  const titles = ['within 24 hours', 'within the hour'].flatMap((time) => [
    `Regatta starts ${time}`,
    `Your session starts ${time}`,
  ]);
  expect(texts).toEqual(titles.flatMap((title) => [title, body]));
});

it('sends the reminder of an event to its registrants, and that of a session to its member', () => {
  const of = (person_id: string | null) => reminderOf({ subject_id: 'subject', title: 'Regatta', person_id }, 60);
  expect(of(null)).toEqual({
    audience: 'event',
    audience_id: 'subject',
    kind: 'event_starting',
    parameters: { event: 'Regatta', minutes: 60 },
  });
  expect(of('ada')).toEqual({
    audience: 'booking',
    audience_id: 'subject',
    kind: 'consulting_starting',
    parameters: { minutes: 60 },
  });
});
