import type { Role } from '@lyceum/contracts';
import { isFenced, readableTypes, requireFresh } from './change.policy.js';
import { PUBLIC_EVENT_TYPES } from './public-event-types.js';
import type { PublicEventType } from './public-event-types.js';

const DAY_MS = 86_400_000;

describe('the types of a caller', () => {
  it.each<[string[], PublicEventType[] | undefined, readonly string[]]>([
    [['orders:read'], undefined, ['order.paid', 'order.refunded']],
    [['orders:read', 'coupons:read'], undefined, ['order.paid', 'order.refunded', 'coupon.redeemed', 'coupon.deleted']],
    [['orders:read'], ['order.paid'], ['order.paid']],
    [['orders:read'], ['order.paid', 'order.paid'], ['order.paid']],
  ])('returns those of %j, of which %j are wanted: %j', (scopes, wanted, types) => {
    expect(readableTypes({ scopes }, wanted)).toEqual(types);
  });

  it('returns all with all scopes', () => {
    const scopes = ['students', 'courses', 'curriculum', 'lecturers', 'members', 'orders', 'subscriptions'].concat([
      'membership_plans',
      'digital_products',
      'coupons',
      'events',
      'posts',
      'comments',
      'forms',
      'pages',
    ]);
    expect(readableTypes({ scopes: scopes.map((name) => `${name}:read`) })).toEqual(PUBLIC_EVENT_TYPES);
  });

  it.each<[string, string[], PublicEventType[] | undefined, unknown]>([
    ['no scope of a type', ['orders:write', 'school:read'], undefined, expect.arrayContaining(['courses:read'])],
    ['a type of another scope', ['orders:read'], ['course.created'], ['courses:read']],
    ['one type of another scope', ['orders:read'], ['order.paid', 'course.created'], ['courses:read']],
  ])('refuses %s', (_name, scopes, wanted, missing) => {
    expect(() => readableTypes({ scopes }, wanted)).toThrow(
      expect.objectContaining({ code: 'insufficient_scope', scopes: missing }),
    );
  });
});

it.each<[Role[], boolean]>([
  [['owner'], false],
  [['admin', 'lecturer'], false],
  [['lecturer'], true],
  [['teaching_assistant', 'student'], true],
])('fences a caller with the roles %j: %p', (roles, fenced) => {
  expect(isFenced({ roles })).toBe(fenced);
});

it.each<[Role[]]>([[[]], [['student']]])('refuses a caller with the roles %j', (roles) => {
  expect(() => isFenced({ roles })).toThrow(expect.objectContaining({ code: 'forbidden' }));
});

it('accepts a cursor for 30 days, and for one more', () => {
  const now = new Date('2026-11-20T08:00:00.000Z');
  const before = (ms: number) => new Date(now.getTime() - ms);
  expect(() => requireFresh(before(31 * DAY_MS), now)).not.toThrow();
  expect(() => requireFresh(before(31 * DAY_MS + 1), now)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
});
