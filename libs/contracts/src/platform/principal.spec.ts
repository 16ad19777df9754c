import { ROLES, holdsScopes, isAdministrator, isTeacher, orderRoles, principalSchema } from './principal.js';

const PRINCIPAL = {
  person_id: '0199f6a0-0000-7000-8000-000000000001',
  member_id: '3f6c1f0e-5b0a-4c55-9d0a-5c1f3a1f2b10',
  site_id: '0199f6a0-0000-7000-8000-000000000002',
  client_id: 'client',
  audience: 'member',
  scopes: ['openid', 'account:read'],
  roles: ['student'],
  grant_id: 'grant',
  token_fingerprint: '0123456789abcdef',
  expires_at: 1_800_000_000,
};

describe('orderRoles', () => {
  it('puts the highest privilege first', () => {
    expect(orderRoles(['student', 'owner', 'lecturer'])).toEqual(['owner', 'lecturer', 'student']);
    expect(orderRoles([...ROLES].reverse())).toEqual(['owner', 'admin', 'lecturer', 'teaching_assistant', 'student']);
  });

  it('drops duplicates, and accepts an empty list', () => {
    expect(orderRoles(['student', 'student'])).toEqual(['student']);
    expect(orderRoles([])).toEqual([]);
  });
});

it.each([
  [[], false, false],
  [['student'], false, false],
  [['teaching_assistant'], false, true],
  [['lecturer'], false, true],
  [['admin', 'lecturer'], true, true],
  [['owner'], true, false],
] as const)('roles %j administer: %s, teach: %s', (roles, administers, teaches) => {
  expect([isAdministrator({ roles }), isTeacher({ roles })]).toEqual([administers, teaches]);
});

describe('principalSchema', () => {
  it('accepts a principal', () => {
    expect(principalSchema.parse(PRINCIPAL)).toEqual(PRINCIPAL);
    expect(principalSchema.parse({ ...PRINCIPAL, scopes: [] }).scopes).toEqual([]);
  });

  it.each(Object.keys(PRINCIPAL))('requires %s', (name) => {
    expect(principalSchema.safeParse({ ...PRINCIPAL, [name]: undefined }).success).toBe(false);
  });

  it.each([
    ['person_id', 'somebody'],
    ['member_id', 'somebody'],
    ['site_id', ''],
    ['client_id', ''],
    ['audience', 'identity'],
    ['scopes', 'openid'],
    ['roles', 'owner'],
    ['roles', ['root']],
    ['grant_id', ''],
    ['token_fingerprint', '0123456789abcde'],
    ['token_fingerprint', '0123456789abcdef0'],
    ['token_fingerprint', '0123456789ABCDEF'],
    ['expires_at', 1.5],
  ])('rejects %s = %p', (name, value) => {
    expect(principalSchema.safeParse({ ...PRINCIPAL, [name]: value }).success).toBe(false);
  });
});

describe('holdsScopes', () => {
  it('returns true when all scopes are held', () => {
    expect(holdsScopes(PRINCIPAL, ['account:read'])).toBe(true);
    expect(holdsScopes(PRINCIPAL, ['account:read', 'openid'])).toBe(true);
    expect(holdsScopes(PRINCIPAL, [])).toBe(true);
  });

  it('returns false when one is missing, even if it is the prefix of a held scope', () => {
    expect(holdsScopes(PRINCIPAL, ['account:read', 'account:write'])).toBe(false);
    expect(holdsScopes(PRINCIPAL, ['account'])).toBe(false);
    expect(holdsScopes({ scopes: [] }, ['openid'])).toBe(false);
  });
});
