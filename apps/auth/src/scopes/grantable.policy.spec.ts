import { IDENTITY_SCOPES, MEMBER_SCOPES, OPERATOR_SCOPES, ROLES } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { covers, grantableScopes, onlyShown, scopeUnderRoles, scopesOfAudience } from './grantable.policy.js';

const ALL_OPERATOR = scopesOfAudience('operator');

describe('The scopes that a person can grant to a client', () => {
  it.each(['owner', 'admin'] as const)('includes everything that an operator client requests, for an %s', (role) => {
    expect(grantableScopes('operator', [role], ALL_OPERATOR)).toEqual({
      allowed: true,
      granted: ALL_OPERATOR,
      withheld: [],
    });
  });

  it.each(['lecturer', 'teaching_assistant'] as const)(
    'includes courses with their curriculum, comments and students, and the own profile, for a %s',
    (role) => {
      const result = grantableScopes('operator', [role], ALL_OPERATOR);
      const courses = ['courses:read', 'courses:write', 'students:read'];
      const held = [
        ...courses,
        'curriculum:read',
        'curriculum:write',
        'comments:read',
        'lecturers:read',
        'lecturers:write',
      ];
      expect(result.allowed && result.granted).toEqual([...IDENTITY_SCOPES, ...held]);
      const withheld = expect.arrayContaining(['students:write', 'school:read', 'orders:read', 'members:write']);
      expect(result).toMatchObject({ allowed: true, withheld });
    },
  );

  it.each([[[]], [['student']]])('includes nothing for an operator client with the roles %p', (roles) => {
    expect(grantableScopes('operator', roles as Role[], ALL_OPERATOR)).toEqual({ allowed: false });
    expect(grantableScopes('operator', roles as Role[], IDENTITY_SCOPES)).toEqual({ allowed: false });
  });

  it('includes nothing when all but identity would be withheld, and identity when only that is requested', () => {
    expect(grantableScopes('operator', ['lecturer'], ['openid', 'orders:read'])).toEqual({ allowed: false });
    expect(grantableScopes('operator', ['lecturer'], ['openid'])).toMatchObject({ allowed: true, granted: ['openid'] });
  });

  it.each(ROLES)('includes everything that a member client requests, for a %s', (role) => {
    const asked = scopesOfAudience('member');
    expect(grantableScopes('member', [role], asked)).toEqual({ allowed: true, granted: asked, withheld: [] });
  });

  it('includes nothing for a member client without a role', () => {
    expect(grantableScopes('member', [], ['account:read'])).toEqual({ allowed: false });
  });

  it('never crosses the audiences, and never has what is no scope', () => {
    for (const scope of OPERATOR_SCOPES) {
      expect(grantableScopes('member', ['owner'], [scope])).toEqual({ allowed: false });
    }
    for (const scope of MEMBER_SCOPES) {
      expect(grantableScopes('operator', ['owner'], [scope])).toEqual({ allowed: false });
    }
    expect(grantableScopes('operator', ['owner'], ['root', 'offline_access'])).toEqual({ allowed: false });
  });
});

describe('The scope of a token of a lecturer', () => {
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

describe('The scopes that a consent page showed', () => {
  const grantable = grantableScopes('operator', ['lecturer'], ['openid', 'courses:read', 'orders:read']);

  it.each([
    [['openid', 'courses:read', 'orders:read'], grantable],
    [['courses:read'], { allowed: true, granted: ['courses:read'], withheld: ['orders:read', 'openid'] }],
    [['orders:read'], { allowed: false }],
    [[], { allowed: false }],
  ])('limits the grant to %p', (shown, given) => {
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
  ])('compares %p with the request %p: %p', (remembered, requested, expected) => {
    expect(covers(remembered, requested)).toBe(expected);
  });
});
