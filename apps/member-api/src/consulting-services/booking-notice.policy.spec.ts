import { bookingNotice } from './booking-notice.policy.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const TOMORROW = '2026-11-21T12:00:00.000Z';
const LATER = '2026-11-25T12:00:00.000Z';
const PAST = '2026-11-20T11:00:00.000Z';
const booking = (state: 'scheduled' | 'completed' | 'no_show' | 'canceled', starts_at = TOMORROW) => ({
  state,
  starts_at,
});

it.each([
  ['a new booking', undefined, booking('scheduled'), 'booking_confirmed'],
  ['a new booking of the past', undefined, booking('scheduled', PAST), null],
  ['a moved booking', booking('scheduled'), booking('scheduled', LATER), 'booking_moved'],
  ['a booking with another address', booking('scheduled'), booking('scheduled'), null],
  ['a canceled booking', booking('scheduled'), booking('canceled'), 'booking_canceled'],
  ['a canceled booking of the past', booking('scheduled', PAST), booking('canceled', PAST), null],
  ['a booking that was canceled before its member was linked', undefined, booking('canceled'), null],
  ['a completed booking', booking('scheduled'), booking('completed'), null],
])('decides on the notification of %s', (_what, before, after, kind) => {
  expect(bookingNotice(before, after, NOW)).toBe(kind);
});
