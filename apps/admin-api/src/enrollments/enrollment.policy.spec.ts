import { requireActiveStudent, requireFuture, revocation } from './enrollment.policy.js';

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
