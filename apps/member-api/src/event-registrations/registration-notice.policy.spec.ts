import { planChange, registrationNotice } from './registration-notice.policy.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const TODAY = '2026-11-20T11:00:00.000Z';
const LONG_AGO = '2026-10-01T00:00:00.000Z';

it.each([
  ['a new place', undefined, 'registered', TODAY, 'registration_confirmed'],
  ['an old place of a member who is linked now', undefined, 'registered', LONG_AGO, null],
  ['a new place in the waiting list', undefined, 'waitlisted', TODAY, 'registration_waitlisted'],
  ['a place from the waiting list after weeks', 'waitlisted', 'registered', LONG_AGO, 'registration_confirmed'],
  ['a place that was canceled', 'registered', 'canceled', LONG_AGO, 'registration_canceled'],
  ['a place that stays', 'registered', 'registered', TODAY, null],
  ['a check-in that was a mistake', 'checked_in', 'registered', TODAY, null],
  ['a check-in', 'registered', 'checked_in', TODAY, null],
  ['an absence', 'registered', 'no_show', TODAY, null],
] as const)('decides on the notification of %s', (_what, before, state, registered_at, kind) => {
  const canceled_at = state === 'canceled' ? TODAY : null;
  const known = before && { state: before };
  expect(registrationNotice(known, { state, registered_at, canceled_at }, NOW)).toBe(kind);
});

it('sends no notification of an old cancellation', () => {
  const canceled = { state: 'canceled' as const, registered_at: LONG_AGO, canceled_at: LONG_AGO };
  expect(registrationNotice({ state: 'registered' }, canceled, NOW)).toBeNull();
});

const PLAN = {
  state: 'published' as const,
  starts_at: '2026-12-01T10:00:00.000Z',
  ends_at: '2026-12-01T11:00:00.000Z',
  hosting_type: 'in_person' as const,
  location: 'Pier 1',
};

it.each([
  ['nothing new', {}, null],
  ['another start', { starts_at: '2026-12-01T09:00:00.000Z' }, 'time'],
  ['another end', { ends_at: '2026-12-01T12:00:00.000Z' }, 'time'],
  ['another location', { location: 'Pier 2' }, 'place'],
  ['another way of hosting', { hosting_type: 'zoom' as const }, 'place'],
  ['another start and location', { starts_at: '2026-12-01T09:00:00.000Z', location: 'Pier 2' }, 'both'],
  [
    'another start and no date yet for members',
    { starts_at: '2026-12-01T09:00:00.000Z', state: 'draft' as const },
    null,
  ],
])('finds for an event with %s: %p', (_what, given, change) => {
  expect(planChange(PLAN, { ...PLAN, ...given })).toBe(change);
});

it('finds no change of an event that is published now', () => {
  expect(planChange({ ...PLAN, state: 'draft' }, { ...PLAN, location: 'Pier 2' })).toBeNull();
  expect(planChange(undefined, PLAN)).toBeNull();
});
