import {
  completionAfter,
  enrollmentEventOf,
  requireExpirable,
  requireFuture,
  requireRevocable,
  requireUnrevoked,
} from './enrollment.policy.js';

it.each(['pending', 'active', 'revoked'] as const)('revokes an enrollment that is %s', (state) => {
  expect(() => requireRevocable(state)).not.toThrow();
});

it('refuses to revoke an expired enrollment', () => {
  expect(() => requireRevocable('expired')).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});

it.each(['active', 'expired'] as const)('expires an enrollment that is %s', (state) => {
  expect(() => requireExpirable(state)).not.toThrow();
});

it.each(['pending', 'revoked'] as const)('refuses to expire an enrollment that is %s', (state) => {
  expect(() => requireExpirable(state)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});

it.each(['pending', 'active', 'expired'] as const)('sets the end of an enrollment that is %s', (state) => {
  expect(() => requireUnrevoked(state)).not.toThrow();
});

it('refuses to set the end of a revoked enrollment', () => {
  expect(() => requireUnrevoked('revoked')).toThrow(
    expect.objectContaining({ code: 'invalid_state', message: expect.stringContaining('extend') }),
  );
});

it.each([
  ['active', 'active', 'extended'],
  ['pending', 'pending', 'extended'],
  ['pending', 'active', 'activated'],
  ['expired', 'active', 'activated'],
  ['revoked', 'pending', 'activated'],
  ['active', 'expired', 'expired'],
  ['active', 'revoked', 'revoked'],
  ['pending', 'revoked', 'revoked'],
] as const)('publishes a change from %s to %s as %s', (before, after, name) => {
  expect(enrollmentEventOf(before, after)).toBe(name);
});

it.each([
  [null, true],
  ['2026-11-20T08:00:00.001Z', true],
  ['2026-11-20T08:00:00.000Z', false],
])('decides whether an end at %s is later than now: %s', (expires_at, future) => {
  const end = expires_at === null ? null : new Date(expires_at);
  const ask = (): void => requireFuture(end, new Date('2026-11-20T08:00:00Z'));
  if (future) expect(ask).not.toThrow();
  else expect(ask).toThrow(expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/expires_at' })] }));
});

it.each([
  [null, 0, null, null],
  [null, 0.5, 2, null],
  [null, 1, 2, 2],
  [1, 0.5, 2, 1],
  [1, 1, 2, 1],
])(
  'keeps, after a completion at %p and a rate of %p at %p, the completion at %p',
  (known, completion_rate, last, kept) => {
    const at = (minute: number | null) => (minute === null ? null : new Date(Date.UTC(2026, 9, 2, 8, minute)));
    const before = { completion_rate: 0.25, completed_at: at(known) };
    const after = completionAfter(before, { completion_rate, completed_at: at(last) });
    expect(after).toEqual({ completion_rate, completed_at: at(kept) });
  },
);
