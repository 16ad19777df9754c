import {
  BOOKING_STATES,
  isInTime,
  moveOf,
  requireBegun,
  requireInTime,
  requireFirstBooking,
  requirePlace,
  requireSameService,
  requireScheduled,
  requireToCome,
} from './booking.policy.js';
import type { BookingMove, BookingState } from './booking.policy.js';

const NOW = new Date('2026-12-01T10:00:00Z');
const [BEFORE, AFTER] = [new Date('2026-12-01T09:59:59Z'), new Date('2026-12-01T10:00:01Z')];
const INVALID = expect.objectContaining({ code: 'invalid_state' });

it.each([
  ['open', 0, true],
  ['open', 2, true],
  ['open', 3, false],
  ['canceled', 0, false],
] as const)('gives a place in a slot that is %s with %p of three places booked: %p', (state, booked_count, given) => {
  const slot = { state, booked_count, capacity: 3, starts_at: NOW };
  if (given) expect(() => requirePlace(slot)).not.toThrow();
  else expect(() => requirePlace(slot)).toThrow(INVALID);
});

it('separates sessions to come from those that have begun', () => {
  expect(() => requireToCome({ starts_at: AFTER }, NOW)).not.toThrow();
  expect(() => requireBegun({ starts_at: BEFORE }, NOW)).not.toThrow();
  for (const starts_at of [NOW, BEFORE]) expect(() => requireToCome({ starts_at }, NOW)).toThrow(INVALID);
  expect(() => requireBegun({ starts_at: AFTER }, NOW)).toThrow(INVALID);
  expect(() => requireBegun({ starts_at: NOW }, NOW)).not.toThrow();
});

it.each([
  [24, '2026-12-02T10:00:00Z', true],
  [24, '2026-12-02T09:59:59.999Z', false],
  [0, '2026-12-01T10:00:00Z', true],
  [0, '2026-12-01T09:59:59Z', false],
])('compares %p hours of notice with a start at %s: in time is %p', (cancel_notice_hours, start, inTime) => {
  const notice = { cancel_notice_hours, starts_at: new Date(start) };
  expect(isInTime(notice, NOW)).toBe(inTime);
  if (inTime) expect(() => requireInTime(notice, NOW)).not.toThrow();
  else expect(() => requireInTime(notice, NOW)).toThrow(INVALID);
});

const ALLOWED: Record<BookingMove, readonly BookingState[]> = {
  complete: ['scheduled', 'no_show'],
  no_show: ['scheduled', 'completed'],
  cancel: ['scheduled'],
};
const TO: Record<BookingMove, BookingState> = { complete: 'completed', no_show: 'no_show', cancel: 'canceled' };

it.each(
  (Object.keys(ALLOWED) as BookingMove[]).flatMap((name) => BOOKING_STATES.map((state) => [name, state] as const)),
)('moves by %s a booking that is %s, leaves it or refuses', (name, state) => {
  if (state === TO[name]) expect(moveOf(state, name)).toBeUndefined();
  else if (ALLOWED[name].includes(state)) expect(moveOf(state, name)?.to).toBe(TO[name]);
  else expect(() => moveOf(state, name)).toThrow(INVALID);
});

it.each(BOOKING_STATES)('moves a booking that is %s to another slot if it is scheduled', (state) => {
  if (state === 'scheduled') expect(() => requireScheduled(state)).not.toThrow();
  else expect(() => requireScheduled(state)).toThrow(INVALID);
});

it('books a purchase once in a slot, and moves it within its service', () => {
  expect(() => requireFirstBooking(false)).not.toThrow();
  expect(() => requireFirstBooking(true)).toThrow(INVALID);
  const [one, other] = [{ consulting_service_id: 'a' }, { consulting_service_id: 'b' }];
  expect(() => requireSameService(one, { ...one }, '/slot_id')).not.toThrow();
  expect(() => requireSameService(one, other, '/slot_id')).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/slot_id' })] }),
  );
});
