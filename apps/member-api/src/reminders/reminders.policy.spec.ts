import { textOf } from '#src/messages/messages.js';
import { MINUTES_BEFORE, eventAppointment, bookingAppointment, reminderMessage } from './reminders.policy.js';

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

it('formats the time before an event or session', () => {
  const texts = MINUTES_BEFORE.flatMap((minutes) =>
    (['event_starting', 'consulting_starting'] as const).map((kind) =>
      textOf(`${kind}.title`, reminderMessage(kind, 'Regatta', minutes).parameters, { person: null, site: null }),
    ),
  );
  expect(texts).toEqual([
    'Regatta starts tomorrow',
    'Your session starts tomorrow',
    'Regatta starts within the hour',
    'Your session starts within the hour',
  ]);
});
