import { changesOfAdministrators, expiryOf, requireNotArchived } from './consulting-service.policy.js';

it.each([
  [null, null],
  [1, '2026-03-01T10:30:00.000Z'],
  [365, '2027-02-28T10:30:00.000Z'],
])('ends sessions with a validity of %p days at %p', (validity_days, end) => {
  const terms = { validity_days, timezone: 'UTC' };
  expect(expiryOf(terms, new Date('2026-02-28T10:30:00Z'))?.toISOString() ?? null).toBe(end);
});

it('ends sessions at the same local time across a change of the clock', () => {
  const end = expiryOf({ validity_days: 1, timezone: 'Europe/Berlin' }, new Date('2027-03-27T10:30:00Z'));
  expect(end?.toISOString()).toBe('2027-03-28T09:30:00.000Z');
});

it('refuses changes of an archived service only', () => {
  for (const state of ['draft', 'published', 'unpublished'] as const)
    expect(() => requireNotArchived(state, 'change')).not.toThrow();
  expect(() => requireNotArchived('archived', 'change')).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});

it.each([
  [{ price: null }, true],
  [{ lecturer_ids: [], name: 'x' }, true],
  [{ name: 'x', duration_minutes: 30 }, false],
])('leaves the change %j to owners and admins: %p', (changes, theirs) => {
  expect(changesOfAdministrators(changes)).toBe(theirs);
});
