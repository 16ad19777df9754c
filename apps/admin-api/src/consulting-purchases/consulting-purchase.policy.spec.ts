import {
  requireExtendable,
  requireLater,
  requireSession,
  requireUnbooked,
  sessionsAfter,
  stateAt,
} from './consulting-purchase.policy.js';

const NOW = new Date('2026-12-01T10:00:00Z');
const [BEFORE, AFTER] = [new Date('2026-12-01T09:59:59Z'), new Date('2026-12-01T10:00:01Z')];
const PURCHASE = { state: 'active', expires_at: null, sessions_total: 2, sessions_used: 1 } as const;
const code = (name: string) => expect.objectContaining({ code: name });

it.each([
  ['active', null, 'active'],
  ['active', AFTER, 'active'],
  ['active', NOW, 'expired'],
  ['active', BEFORE, 'expired'],
  ['revoked', null, 'revoked'],
  ['revoked', BEFORE, 'revoked'],
] as const)('shows a purchase that is %s until %p as %s', (state, expires_at, shown) => {
  expect(stateAt({ state, expires_at }, NOW)).toBe(shown);
});

it('uses the last session of an active purchase, and no further one', () => {
  expect(() => requireSession(PURCHASE, NOW)).not.toThrow();
  for (const fault of [{ sessions_used: 2 }, { expires_at: BEFORE }, { state: 'revoked' as const }])
    expect(() => requireSession({ ...PURCHASE, ...fault }, NOW)).toThrow(code('invalid_state'));
});

it('accepts an end in the future or none', () => {
  for (const end of [null, AFTER]) expect(() => requireLater(end, NOW)).not.toThrow();
  for (const end of [NOW, BEFORE]) expect(() => requireLater(end, NOW)).toThrow(code('validation_failed'));
});

it.each([
  [undefined, true],
  [1, true],
  [0, false],
])('accepts %p sessions in all when one is used: %p', (sessions_total, accepted) => {
  if (accepted) expect(() => requireExtendable(PURCHASE, sessions_total)).not.toThrow();
  else expect(() => requireExtendable(PURCHASE, sessions_total)).toThrow(code('invalid_state'));
});

it('refuses changes of a revoked purchase', () => {
  expect(() => requireExtendable({ ...PURCHASE, state: 'revoked' }, undefined)).toThrow(code('invalid_state'));
});

it('keeps a purchase with booked sessions', () => {
  expect(() => requireUnbooked(false)).not.toThrow();
  expect(() => requireUnbooked(true)).toThrow(code('resource_in_use'));
});

it.each([
  [6, { refunded: 2, of: 3 }, 2],
  [7, { refunded: 2, of: 3 }, 3],
  [1, { refunded: 1, of: 2 }, 1],
])('leaves of %p sessions after a refund of %j: %p', (sessions_total, units, left) => {
  expect(sessionsAfter({ sessions_total }, units)).toBe(left);
});
