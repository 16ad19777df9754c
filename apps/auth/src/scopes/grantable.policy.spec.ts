import { IDENTITY_SCOPES, MEMBER_SCOPES, OPERATOR_SCOPES, ROLES } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { covers, grantableScopes, onlyShown, scopeUnderRoles, scopesOfAudience } from './grantable.policy.js';

const ALL_OPERATOR = scopesOfAudience('operator');

describe('The scopes that a person can grant', () => {
  it.each(['owner', 'admin'] as const)('grants an operator client of an %s all requested scopes', (role) => {
    expect(grantableScopes('operator', [role], ALL_OPERATOR)).toEqual({
      allowed: true,
      granted: ALL_OPERATOR,
      withheld: [],
    });
  });

  it('grants read scopes of courses, curriculum and comments for a lecturer', () => {
    const result = grantableScopes('operator', ['lecturer'], ALL_OPERATOR);
    const held = ['courses:read', 'curriculum:read', 'comments:read'];
    expect(result.allowed && result.granted).toEqual([...IDENTITY_SCOPES, ...held]);
    const withheld = expect.arrayContaining(['courses:write', 'students:read', 'orders:read', 'members:write']);
    expect(result).toMatchObject({ allowed: true, withheld });
  });

  it.each([[[]], [['student']], [['teaching_assistant']], [['teaching_assistant', 'student']]])(
    'grants an operator client nothing for the roles %p',
    (roles) => {
      expect(grantableScopes('operator', roles as Role[], ALL_OPERATOR)).toEqual({ allowed: false });
      expect(grantableScopes('operator', roles as Role[], IDENTITY_SCOPES)).toEqual({ allowed: false });
    },
  );

  it('grants identity scopes only when nothing else was requested', () => {
    expect(grantableScopes('operator', ['lecturer'], ['openid', 'orders:read'])).toEqual({ allowed: false });
    expect(grantableScopes('operator', ['lecturer'], ['openid'])).toMatchObject({ allowed: true, granted: ['openid'] });
  });

  it.each(ROLES)('grants a member client of a %s all requested scopes', (role) => {
    const wanted = scopesOfAudience('member');
    expect(grantableScopes('member', [role], wanted)).toEqual({ allowed: true, granted: wanted, withheld: [] });
  });

  it('grants a member client nothing without a role', () => {
    expect(grantableScopes('member', [], ['account:read'])).toEqual({ allowed: false });
  });

  it('grants no scope of the other audience and no unknown scope', () => {
    for (const scope of OPERATOR_SCOPES) {
      expect(grantableScopes('member', ['owner'], [scope])).toEqual({ allowed: false });
    }
    for (const scope of MEMBER_SCOPES) {
      expect(grantableScopes('operator', ['owner'], [scope])).toEqual({ allowed: false });
    }
    expect(grantableScopes('operator', ['owner'], ['root', 'offline_access'])).toEqual({ allowed: false });
  });
});

describe('The scope of a refreshed token of a lecturer', () => {
  it.each<[string, 'operator' | 'member', Role[], string, string | undefined]>([
    ['stays for an owner', 'operator', ['owner'], 'openid students:write', 'openid students:write'],
    ['shrinks for a lecturer', 'operator', ['lecturer'], 'openid courses:read students:write', 'openid courses:read'],
    ['ends when identity is all that is left', 'operator', ['lecturer'], 'openid students:write', undefined],
    ['shrinks for an assistant', 'operator', ['teaching_assistant'], 'courses:write orders:read', 'courses:write'],
    ['stays for a lecturer who is admin too', 'operator', ['lecturer', 'admin'], 'students:write', 'students:write'],
    ['stays for other roles, whose grants end with a change of roles', 'operator', [], 'courses:read', 'courses:read'],
    ['stays for a member', 'member', ['lecturer'], 'account:read', 'account:read'],
  ])('%s', (_what, audience, roles, scope, expected) => {
    expect(scopeUnderRoles(audience, roles, scope)).toBe(expected);
  });
});

describe('The scopes that the consent page showed', () => {
  const grantable = grantableScopes('operator', ['lecturer'], ['openid', 'courses:read', 'orders:read']);

  it.each([
    [['openid', 'courses:read', 'orders:read'], grantable],
    [['courses:read'], { allowed: true, granted: ['courses:read'], withheld: ['orders:read', 'openid'] }],
    [['orders:read'], { allowed: false }],
    [[], { allowed: false }],
  ])('limits a grant to the shown scopes %p', (shown, given) => {
    expect(onlyShown(grantable, shown)).toEqual(given);
    expect(onlyShown({ allowed: false }, shown)).toEqual({ allowed: false });
  });
});

describe('A remembered approval', () => {
  it.each([
    [['openid', 'account:read'], ['account:read'], true],
    [['openid', 'account:read'], ['openid', 'account:read'], true],
    [['openid'], ['openid', 'account:read'], false],
    [[], ['openid'], false],
    [['openid'], ['openid', 'offline_access'], true],
  ])('decides whether an approval of %p covers %p: %p', (remembered, requested, expected) => {
    expect(covers(remembered, requested)).toBe(expected);
  });
});
