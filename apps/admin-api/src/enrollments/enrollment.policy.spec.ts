import { extension, requireActiveStudent, requireFuture, revocation } from './enrollment.policy.js';

it.each([
  ['pending', 'revoke'],
  ['active', 'revoke'],
  ['revoked', 'nothing'],
] as const)('revoking what is %s: %s', (state, result) => {
  expect(revocation(state)).toBe(result);
});

it('what has expired cannot be revoked', () => {
  expect(() => revocation('expired')).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});

const UNTIL = '2027-01-01T00:00:00.000Z';

it.each([
  ['active', null, undefined, 'nothing'],
  ['active', null, null, 'nothing'],
  ['active', UNTIL, '2027-01-01T08:00:00+08:00', 'nothing'],
  ['active', UNTIL, null, 'reschedule'],
  ['pending', null, UNTIL, 'reschedule'],
  ['expired', UNTIL, undefined, 'nothing'],
  ['expired', UNTIL, null, 'reopen'],
  ['revoked', null, null, 'reopen'],
] as const)('what is %s until %s and shall end at %s: %s', (state, now, wanted, result) => {
  expect(extension(state, now === null ? null : new Date(now), wanted)).toBe(result);
});

it('who was removed is not enrolled', () => {
  expect(() => requireActiveStudent('removed')).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  expect(() => requireActiveStudent('active')).not.toThrow();
});

it.each([
  [null, true],
  ['2026-11-20T08:00:00.001Z', true],
  ['2026-11-20T08:00:00.000Z', false],
  ['2026-11-20T15:59:59+08:00', false],
  ['2026-11-20T16:00:01+08:00', true],
])('an end at %s is later than now: %s', (expires_at, future) => {
  const ask = (): void => requireFuture(expires_at, new Date('2026-11-20T08:00:00Z'));
  if (future) expect(ask).not.toThrow();
  else expect(ask).toThrow(expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/expires_at' })] }));
});
