import { allClaims, claimsOfScopes } from '#src/people/claims.policy.js';
import { LIFETIMES, refreshTokenLifetime } from '#src/protocol/lifetimes.js';
import { siteSettings } from '#src/sites/site.js';
import { canonicalResource, needsResource, requestedResource } from './resource.policy.js';

const SITE = 'https://school.example';
const at = (mcp_connections: boolean | null) => ({ base_url: SITE, settings: siteSettings({ mcp_connections }) });
const HERE = at(null);

describe('The resource of a site', () => {
  it.each([SITE, `${SITE}/`, `${SITE}/mcp`])('accepts the resource %s', (spelling) => {
    expect(canonicalResource(HERE, spelling)).toBe(SITE);
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
  ])('rejects the resource %p', (other) => {
    expect(canonicalResource(HERE, other)).toBeUndefined();
  });

  it.each([
    [[], 'none'],
    [[''], 'none'],
    [[SITE], 'site'],
    [[SITE, `${SITE}/mcp`], 'site'],
    [['', SITE], 'site'],
    [[SITE, 'https://other.example'], 'foreign'],
    [['https://other.example'], 'foreign'],
  ])('resolves the requested resource %p to %s', (values, expected) => {
    expect(requestedResource(HERE, values)).toBe(expected);
  });

  it.each([
    [true, 'site'],
    [null, 'site'],
    [false, 'foreign'],
  ])('resolves the tool endpoint with MCP connections %p to %s', (mcp_connections, expected) => {
    expect(requestedResource(at(mcp_connections), [`${SITE}/mcp`])).toBe(expected);
    expect(requestedResource(at(mcp_connections), [SITE])).toBe('site');
  });

  it('requires a resource for each scope set that contains a member scope', () => {
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
  ])('gives a token of a %d seconds old family %d seconds', (age, expected) => {
    expect(refreshTokenLifetime(age)).toBe(expected);
  });

  it('limits the lifetime of a refresh token to that of its grant', () => {
    expect(LIFETIMES.grant).toBeGreaterThan(LIFETIMES.refreshTokenFamily);
  });
});

describe('The claims of a token', () => {
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

  it('selects claims by scope and sorts roles by privilege', () => {
    expect(claimsOfScopes(person, ['openid'])).toEqual({
      sub: person.member_id,
      org_id: 'org_1',
      roles: ['owner', 'student'],
    });
    expect(claimsOfScopes(person, ['profile'])).toEqual({ name: 'A' });
    expect(claimsOfScopes(person, ['email'])).toEqual({ email: 'a@school.example', email_verified: true });
    expect(claimsOfScopes(person, ['account:read'])).toEqual({});
  });

  it('includes the picture claim only when a picture exists', () => {
    expect(allClaims(person)).not.toHaveProperty('picture');
    expect(allClaims({ ...person, picture: 'https://x.example/p' })).toMatchObject({ picture: 'https://x.example/p' });
  });
});
