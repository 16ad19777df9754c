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
  ['active', UNTIL, UNTIL, 'nothing'],
  ['active', UNTIL, null, 'reschedule'],
  ['pending', null, UNTIL, 'reschedule'],
  ['expired', UNTIL, undefined, 'nothing'],
  ['expired', UNTIL, null, 'reopen'],
  ['revoked', null, null, 'reopen'],
] as const)('what is %s until %s and shall end at %s: %s', (state, now, wanted, result) => {
  const end = (text: string | null) => (text === null ? null : new Date(text));
  expect(extension(state, end(now), wanted === undefined ? undefined : end(wanted))).toBe(result);
});

it('who was removed is not enrolled', () => {
  expect(() => requireActiveStudent('removed')).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  expect(() => requireActiveStudent('active')).not.toThrow();
});

it.each([
  [null, true],
  ['2026-11-20T08:00:00.001Z', true],
  ['2026-11-20T08:00:00.000Z', false],
])('an end at %s is later than now: %s', (expires_at, future) => {
  const end = expires_at === null ? null : new Date(expires_at);
  const ask = (): void => requireFuture(end, new Date('2026-11-20T08:00:00Z'));
  if (future) expect(ask).not.toThrow();
  else expect(ask).toThrow(expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/expires_at' })] }));
});
