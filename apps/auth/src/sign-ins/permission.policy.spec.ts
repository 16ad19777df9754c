import { OPERATOR_SCOPES, SCOPE_RESOURCES } from '@lyceum/contracts';
import { identityWords, permissionsOf } from './permission.policy.js';

describe('The permissions of a request', () => {
  it('returns one row per resource, the weightiest first', () => {
    const rows = permissionsOf(['courses:read', 'courses:write', 'orders:read', 'members:read', 'members:write'], []);
    expect(rows.map(({ title, reads, writes, weight }) => [title, reads, writes, weight])).toEqual([
      [SCOPE_RESOURCES.members, true, true, 'sensitive'],
      [SCOPE_RESOURCES.courses, true, true, 'edit'],
      [SCOPE_RESOURCES.orders, true, false, 'view'],
    ]);
  });

  it('returns a row for each resource when all scopes of operators are requested, and each word once', () => {
    const rows = permissionsOf(OPERATOR_SCOPES, []);
    expect(rows).toHaveLength(Object.keys(SCOPE_RESOURCES).length - 1);
    expect(rows.flatMap(({ words }) => words)).toHaveLength(OPERATOR_SCOPES.length);
  });

  it.each([
    ['nothing was approved before', [], [false, false]],
    ['everything was approved before', ['courses:read', 'courses:write', 'orders:read'], [false, false]],
    ['a resource was approved for reading only', ['courses:read', 'orders:read'], [true, false]],
    ['another resource was approved', ['courses:read', 'courses:write'], [false, true]],
  ])('marks new rows when %s', (_what, approved, expected) => {
    const rows = permissionsOf(['courses:read', 'courses:write', 'orders:read'], approved);
    expect(rows.map(({ isNew }) => isNew)).toEqual(expected);
  });

  it('returns no row for identity scopes, which are one phrase', () => {
    expect(permissionsOf(['openid', 'profile', 'email'], [])).toEqual([]);
    expect(identityWords(['openid', 'profile', 'email'])).toBe(
      'your name and picture, your email address, and your roles here',
    );
    expect(identityWords(['email'])).toBe('your email address');
    expect(identityWords(['courses:read'])).toBeUndefined();
  });
});
