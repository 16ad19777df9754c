import { hash } from 'node:crypto';
import { decideExchange, decideRefresh } from './token-request.policy.js';
import type { Decision, CredentialState, CodeState, RefreshTokenState } from './token-request.policy.js';
import type { CodeRequest, RefreshRequest } from './token-request.js';

const VERIFIER = 'v'.repeat(43);
const CALLBACK = 'https://app.example/callback';

const state: CredentialState = {
  expired: false,
  used: false,
  audience: 'member',
  scope: 'openid account:read account:write',
  granted: 'openid account:read account:write',
  has_person: true,
  roles: ['student'],
};
const code: CodeState = {
  ...state,
  redirect_uri: CALLBACK,
  code_challenge: hash('sha256', VERIFIER, 'base64url'),
};
const exchange: CodeRequest = {
  grant_type: 'authorization_code',
  code: 'code',
  redirect_uri: CALLBACK,
  code_verifier: VERIFIER,
  names_resource: true,
};
const client = { base_url: 'https://school.example', compatibility_mode: false };
const refresh: RefreshRequest = { grant_type: 'refresh_token', refresh_token: 'token', scope: undefined };

/** A decision in one word. */
const word = (decision: Decision): string => {
  if (decision.kind === 'give') return `give ${decision.scope}`;
  return decision.kind === 'refuse' ? decision.error.error : decision.kind;
};

describe('A code exchange', () => {
  const decide = (request: Partial<CodeRequest> = {}, found: Partial<CodeState> = {}): string =>
    word(decideExchange({ ...exchange, ...request }, { ...code, ...found }, client));

  it('issues the granted scopes for a code', () => {
    expect(decide()).toBe('give openid account:read account:write');
  });

  it.each<[string, string, Partial<CodeRequest>, Partial<CodeState>]>([
    ['an expired code', 'invalid_grant', {}, { expired: true }],
    ['no verifier', 'invalid_grant', { code_verifier: undefined }, {}],
    ['too short a verifier', 'invalid_request', { code_verifier: 'v'.repeat(42) }, {}],
    ['too long a verifier', 'invalid_request', { code_verifier: 'v'.repeat(129) }, {}],
    ['a verifier with other characters', 'invalid_request', { code_verifier: `${VERIFIER}+` }, {}],
    ['another verifier', 'invalid_grant', { code_verifier: 'w'.repeat(43) }, {}],
    ['a challenge of another length', 'invalid_grant', {}, { code_challenge: 'c'.repeat(44) }],
    ['another redirect URI', 'invalid_grant', { redirect_uri: `${CALLBACK}/` }, {}],
    ['a member’s scope without the resource', 'invalid_target', { names_resource: false }, {}],
    ['a suspended person', 'invalid_grant', {}, { has_person: false }],
    ['a person without a role', 'invalid_grant', {}, { roles: [] }],
    ['nothing granted at this site', 'invalid_grant', {}, { granted: null }],
    ['more granted than the role carries', 'invalid_grant', {}, { audience: 'operator', granted: 'courses:read' }],
  ])('refuses or accepts an exchange with %s: %s', (_what, expected, request, found) => {
    expect(decide(request, found)).toBe(expected);
  });

  it('refuses an unknown code with invalid_grant', () => {
    expect(word(decideExchange(exchange, undefined, client))).toBe('invalid_grant');
  });

  it('accepts a missing resource from a client with the compatibility switch', () => {
    const decision = decideExchange({ ...exchange, names_resource: false }, code, {
      ...client,
      compatibility_mode: true,
    });
    expect(word(decision)).toBe('give openid account:read account:write');
  });

  it('reports the replay of a used code only with the right proof of possession', () => {
    expect(decide({}, { used: true })).toBe('replayed');
    expect(decide({ names_resource: false }, { used: true })).toBe('replayed');
    expect(decide({ code_verifier: 'w'.repeat(43) }, { used: true })).toBe('invalid_grant');
    expect(decide({ redirect_uri: 'https://evil.example' }, { used: true })).toBe('invalid_grant');
    expect(decide({}, { used: true, expired: true })).toBe('replayed');
  });

  it('requires no resource for operator scopes', () => {
    const operator = {
      audience: 'operator',
      scope: 'courses:read',
      granted: 'courses:read',
      roles: ['owner'],
    } as const;
    expect(decide({ names_resource: false }, operator)).toBe('give courses:read');
  });

  it('issues no scope beyond the granted ones for a code', () => {
    expect(decide({}, { granted: 'account:read' })).toBe('give account:read');
    expect(decide({}, { scope: 'account:read' })).toBe('give account:read');
  });
});

describe('A refresh', () => {
  const decide = (scope?: readonly string[], found: Partial<RefreshTokenState> = {}): string =>
    word(decideRefresh({ ...refresh, scope }, { ...state, exhausted: false, ...found }));

  it.each<[string, readonly string[] | undefined, string]>([
    ['nothing', undefined, 'give openid account:read account:write'],
    [
      'the same in another order',
      ['account:write', 'account:read', 'openid'],
      'give openid account:read account:write',
    ],
    ['less', ['account:read'], 'give account:read'],
    ['more', ['account:read', 'courses:read'], 'invalid_scope'],
    ['what means nothing', ['offline_access'], 'give openid account:read account:write'],
    ['less, and what means nothing', ['account:read', 'offline_access'], 'give account:read'],
    ['more, and what means nothing', ['courses:read', 'offline_access'], 'invalid_scope'],
  ])('decides a refresh for %s: %p is %s', (_what, scope, expected) => {
    expect(decide(scope)).toBe(expected);
  });

  it.each<[string, Partial<CredentialState>]>([
    ['an expired token', { expired: true }],
    ['a suspended person', { has_person: false }],
    ['a person without a role', { roles: [] }],
  ])('refuses a refresh with %s', (_what, found) => {
    expect(decide(undefined, found)).toBe('invalid_grant');
  });

  it('refuses an unknown refresh token with invalid_grant', () => {
    expect(word(decideRefresh(refresh, undefined))).toBe('invalid_grant');
  });

  it('reports a replay of a used refresh token, but checks the scope first', () => {
    expect(decide(undefined, { used: true })).toBe('replayed');
    expect(decide(undefined, { exhausted: true })).toBe('invalid_grant');
    expect(decide(undefined, { used: true, exhausted: true })).toBe('replayed');
    expect(decide(['courses:read'], { used: true })).toBe('invalid_scope');
    expect(decide(undefined, { used: true, expired: true })).toBe('invalid_grant');
  });
});
