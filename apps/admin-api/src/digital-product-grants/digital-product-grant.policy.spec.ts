import {
  laterEnd,
  requireLater,
  requireNoOther,
  requireNotRevoked,
  stateAt,
  without,
} from './digital-product-grant.policy.js';

const NOW = new Date('2026-12-01T10:00:00Z');
const [BEFORE, AFTER] = [new Date('2026-12-01T09:59:59Z'), new Date('2026-12-01T10:00:01Z')];
const code = (name: string) => expect.objectContaining({ code: name });

it.each([
  ['active', null, 'active'],
  ['active', AFTER, 'active'],
  ['active', NOW, 'expired'],
  ['active', BEFORE, 'expired'],
  ['expired', BEFORE, 'expired'],
  ['revoked', null, 'revoked'],
  ['revoked', BEFORE, 'revoked'],
] as const)('shows a grant that is %s until %p as %s', (state, expires_at, shown) => {
  expect(stateAt({ state, expires_at }, NOW)).toBe(shown);
});

it.each([
  [null, NOW, null],
  [NOW, null, null],
  [BEFORE, AFTER, AFTER],
  [AFTER, BEFORE, AFTER],
])('takes the later end of %p and %p', (one, other, later) => {
  expect(laterEnd(one, other)).toBe(later);
});

it('accepts an end in the future or none', () => {
  for (const end of [null, AFTER]) expect(() => requireLater(end, NOW)).not.toThrow();
  for (const end of [NOW, BEFORE]) expect(() => requireLater(end, NOW)).toThrow(code('validation_failed'));
});

it('refuses changes of a revoked grant only', () => {
  for (const state of ['active', 'expired'] as const) expect(() => requireNotRevoked({ state })).not.toThrow();
  expect(() => requireNotRevoked({ state: 'revoked' })).toThrow(code('invalid_state'));
});

it('brings an expired grant back only without another active one', () => {
  expect(() => requireNoOther(undefined)).not.toThrow();
  expect(() => requireNoOther({ id: 'other' })).toThrow(code('invalid_state'));
});

it.each([
  ['active', AFTER, 0, null, { event: 'revoked', changes: { state: 'revoked' } }],
  ['expired', BEFORE, 0, null, { event: 'revoked', changes: { state: 'revoked' } }],
  ['active', null, 1, AFTER, { event: 'updated', changes: { expires_at: AFTER } }],
  ['active', null, 1, null, undefined],
  ['active', AFTER, 1, new Date(AFTER), undefined],
  ['revoked', AFTER, 0, null, undefined],
] as const)(
  'leaves of a grant that is %s until %p with %d sources until %p: %j',
  (state, end, sources, left, change) => {
    expect(without({ state, expires_at: end }, { sources, expires_at: left })).toEqual(change);
  },
);
