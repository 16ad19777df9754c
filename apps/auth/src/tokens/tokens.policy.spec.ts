import { allClaims, claimsOfScopes } from '#src/people/claims.policy.js';
import { LIFETIMES, refreshTokenLifetime } from '#src/protocol/lifetimes.js';
import { canonicalResource, needsResource, requestedResource } from './resource.policy.js';

const SITE = 'https://school.example';

describe('The resource of a site', () => {
  it.each([SITE, `${SITE}/`, `${SITE}/mcp`])('is %s', (spelling) => {
    expect(canonicalResource(SITE, spelling)).toBe(SITE);
  });

  it.each([
    `${SITE}/mcp/`,
    `${SITE}//`,
    `${SITE}?x`,
    `${SITE}#x`,
    `${SITE}:443`,
    `${SITE}.evil.example`,
    'https://SCHOOL.example',
    'http://school.example',
    '',
    `${SITE}/member/graphql`,
  ])('is not %p', (other) => {
    expect(canonicalResource(SITE, other)).toBeUndefined();
  });

  it.each([
    [[], 'none'],
    [[''], 'none'],
    [[SITE], 'site'],
    [[SITE, `${SITE}/mcp`], 'site'],
    [['', SITE], 'site'],
    [[SITE, 'https://other.example'], 'foreign'],
    [['https://other.example'], 'foreign'],
  ])('of a request that says %p is %s', (values, expected) => {
    expect(requestedResource(SITE, values)).toBe(expected);
  });

  it('has to be named as soon as one scope is a member’s', () => {
    expect(needsResource(['openid', 'account:write'])).toBe(true);
    expect(needsResource(['openid', 'courses:read'])).toBe(false);
    expect(needsResource([])).toBe(false);
  });
});

describe('The lifetime of a refresh token', () => {
  const day = 86_400;
  it.each([
    [0, 30 * day],
    [150 * day, 30 * day],
    [150 * day + 1, 30 * day - 1],
    [179 * day, day],
    [180 * day, 1],
    [400 * day, 1],
  ])('of a family that is %d seconds old is %d seconds', (age, expected) => {
    expect(refreshTokenLifetime(age)).toBe(expected);
  });

  it('is never longer than that of its grant', () => {
    expect(LIFETIMES.grant).toBeGreaterThan(LIFETIMES.refreshTokenFamily);
  });
});

describe('Claims', () => {
  const person = {
    person_id: '01a1fb4f-0000-7000-8000-000000000001',
    member_id: 'a member',
    email: 'a@school.example',
    email_verified: true,
    name: 'A',
    picture: null,
    org_id: 'org_1',
    roles: ['student', 'owner'] as const,
  };

  it('are cut by scope, and roles come by privilege', () => {
    expect(claimsOfScopes(person, ['openid'])).toEqual({
      sub: person.member_id,
      org_id: 'org_1',
      roles: ['owner', 'student'],
    });
    expect(claimsOfScopes(person, ['profile'])).toEqual({ name: 'A' });
    expect(claimsOfScopes(person, ['email'])).toEqual({ email: 'a@school.example', email_verified: true });
    expect(claimsOfScopes(person, ['account:read'])).toEqual({});
  });

  it('leave out a picture that there is not, and have the one that there is', () => {
    expect(allClaims(person)).not.toHaveProperty('picture');
    expect(allClaims({ ...person, picture: 'https://x.example/p' })).toMatchObject({ picture: 'https://x.example/p' });
  });
});
