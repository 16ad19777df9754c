import { endOf, lecturerOf, overlapping, requireChangeable, requireFree, requireTimes } from './slot.policy.js';

const at = (time: string): Date => new Date(`2026-12-01T${time}Z`);
const refusal = (code: string, pointer: string) =>
  expect.objectContaining({ code, errors: [expect.objectContaining({ pointer })] });

it('ends a slot without an end after a session of its service', () => {
  const service = { duration_minutes: 90 };
  expect(endOf({ starts_at: at('10:00:00') }, service)).toEqual(at('11:30:00'));
  expect(endOf({ starts_at: at('10:00:00'), ends_at: null }, service)).toEqual(at('11:30:00'));
  expect(endOf({ starts_at: at('10:00:00'), ends_at: at('10:20:00') }, service)).toEqual(at('10:20:00'));
});

it.each([
  ['2026-12-01T10:00:00.001Z', true],
  ['2026-12-02T10:00:00Z', true],
  ['2026-12-01T10:00:00Z', false],
  ['2026-12-01T09:00:00Z', false],
  ['2026-12-02T10:00:00.001Z', false],
])('accepts an end at %s of a slot that starts at 10:00: %p', (end, accepted) => {
  const times = { starts_at: at('10:00:00'), ends_at: new Date(end) };
  if (accepted) expect(() => requireTimes(times)).not.toThrow();
  else expect(() => requireTimes(times)).toThrow(refusal('validation_failed', '/ends_at'));
});

it.each([
  ['9999-12-31T22:59:59.999Z', true],
  ['9999-12-31T23:00:00.000Z', false],
])('accepts a start at %s of a slot of an hour, which ends in the year 9999 at most: %p', (start, accepted) => {
  const starts_at = new Date(start);
  const times = { starts_at, ends_at: endOf({ starts_at }, { duration_minutes: 60 }) };
  if (accepted) expect(() => requireTimes(times)).not.toThrow();
  else expect(() => requireTimes(times)).toThrow(refusal('validation_failed', '/starts_at'));
});

it.each([
  [2, true],
  [3, true],
  [undefined, true],
  [1, false],
])('accepts the capacity %p of a slot with two bookings: %p', (capacity, accepted) => {
  const slot = { state: 'open', booked_count: 2 } as const;
  if (accepted) expect(() => requireChangeable(slot, capacity)).not.toThrow();
  else expect(() => requireChangeable(slot, capacity)).toThrow(refusal('invalid_state', '/capacity'));
});

it('refuses changes of a canceled slot', () => {
  expect(() => requireChangeable({ state: 'canceled', booked_count: 0 }, undefined)).toThrow(
    expect.objectContaining({ code: 'invalid_state' }),
  );
});

it('chooses the lecturer of a slot among those of the service', () => {
  const service = { lecturer_ids: ['a', 'b'] };
  expect(lecturerOf(undefined, service)).toBe('a');
  expect(lecturerOf(null, service)).toBe('a');
  expect(lecturerOf('b', service)).toBe('b');
  expect(lecturerOf(null, { lecturer_ids: [] })).toBeNull();
  expect(() => lecturerOf('c', service)).toThrow(refusal('validation_failed', '/lecturer_id'));
});

it('refuses a lecturer who has another session at the time', () => {
  expect(() => requireFree(undefined)).not.toThrow();
  expect(() => requireFree({ id: 'x' })).toThrow(refusal('invalid_state', '/starts_at'));
});

it.each([
  ['a', '10:00:00', '11:00:00', true],
  ['a', '09:00:00', '10:00:00.001', true],
  ['a', '09:00:00', '10:00:00', false],
  ['a', '11:00:00', '12:00:00', false],
  ['b', '10:00:00', '11:00:00', false],
])(
  'compares a slot of lecturer a from 10 to 11 with one of %s from %s to %s: %p',
  (lecturer_id, from, to, expected) => {
    const slot = { lecturer_id: 'a', starts_at: at('10:00:00'), ends_at: at('11:00:00') };
    expect(overlapping(slot, { lecturer_id, starts_at: at(from), ends_at: at(to) })).toBe(expected);
  },
);

it('lets slots without a lecturer take place at one time', () => {
  const slot = { lecturer_id: null, starts_at: at('10:00:00'), ends_at: at('11:00:00') };
  expect(overlapping(slot, slot)).toBe(false);
});
