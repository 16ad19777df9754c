import { approve, eventually } from '@lyceum/testing';
import * as oidc from 'openid-client';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import { graphql, send } from './http.js';
import { type AuthorizationRequest, authorizationRequest, exchange } from './member-client.js';

const [site, otherSite] = [systemStack().sites[0]!, systemStack().sites[1]!];

const CASES = [
  { audience: 'member', kind: 'public', role: 'student', scope: 'openid profile email account:read' },
  { audience: 'member', kind: 'confidential', role: 'student', scope: 'openid account:read account:write' },
  { audience: 'operator', kind: 'public', role: 'owner', scope: 'openid email courses:read' },
  { audience: 'operator', kind: 'confidential', role: 'owner', scope: 'openid profile courses:read courses:write' },
] as const;

const ID_TOKEN_ONLY = ['iss', 'aud', 'exp', 'iat', 'nonce', 'auth_time'];

/** The HTTP status of the surface of the token. */
async function surface(audience: 'member' | 'operator', token: string): Promise<number> {
  const response =
    audience === 'member'
      ? await graphql(site.base_url, token, '{ viewer { id } }')
      : await send(`${site.base_url}/api/v1/courses`, { token });
  return response.status;
}

describe.each(CASES)('openid-client as a $kind client for $audience tokens', ({ audience, kind, role, scope }) => {
  const client = clientOf(site, audience, kind);
  const person = personOf(site, role);
  let request: AuthorizationRequest;
  let callback: URL;
  let tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

  beforeAll(async () => {
    request = await authorizationRequest(site.base_url, client, scope);
    callback = await approve(request.url, person);
    tokens = await exchange(request, callback);
  });

  it('gets tokens as advertised in the metadata', () => {
    const metadata = request.configuration.serverMetadata();
    expect(metadata.supportsPKCE()).toBe(true);
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope, school_id: site.org_id });
    expect(tokens.expiresIn()).toBeGreaterThan(7100);
    expect(tokens.refresh_token).toEqual(expect.any(String));
  });

  it('checks the id_token: signature, iss, aud, exp and nonce', () => {
    const claims = tokens.claims()!;
    expect(claims).toMatchObject({ iss: site.base_url, aud: client.client_id, roles: [role], org_id: site.org_id });
    expect(claims.nonce).toBe(request.checks.expectedNonce);
    expect(claims.exp - claims.iat).toBe(600);
    expect('email' in claims).toBe(scope.includes('email'));
    expect('name' in claims).toBe(scope.includes('profile'));
  });

  it('reads the same claims from UserInfo', async () => {
    const claims = tokens.claims()!;
    const userInfo = await oidc.fetchUserInfo(request.configuration, tokens.access_token, claims.sub);
    expect(claims).toMatchObject(userInfo);
    expect(Object.keys(userInfo)).toEqual(expect.arrayContaining(['sub', 'org_id', 'roles']));
    expect(Object.keys(claims).filter((name) => !(name in userInfo) && !ID_TOKEN_ONLY.includes(name))).toEqual([]);
  });

  it('introspects its own token, and not that of another client', async () => {
    const own = await oidc.tokenIntrospection(request.configuration, tokens.access_token);
    expect(own).toMatchObject({ active: true, client_id: client.client_id, aud: site.base_url, scope });
    const stranger = await oidc.discovery(
      new URL(site.base_url),
      clientOf(site, audience === 'member' ? 'operator' : 'member', 'public').client_id,
      {},
      oidc.None(),
      { execute: [oidc.allowInsecureRequests] },
    );
    expect(await oidc.tokenIntrospection(stranger, tokens.access_token)).toEqual({ active: false });
  });

  it('refuses a callback of another issuer or state, before it sends the code anywhere', async () => {
    const mixedUp = new URL(callback);
    mixedUp.searchParams.set('iss', otherSite.base_url);
    await expect(exchange(request, mixedUp)).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
    const forged = new URL(callback);
    forged.searchParams.set('state', 'of-somebody-else');
    await expect(exchange(request, forged)).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
    expect(await surface(audience, tokens.access_token)).toBe(200);
  });

  it('refreshes for fewer scopes, without a new id_token', async () => {
    const smaller = scope.split(' ').slice(0, -1).join(' ');
    const narrow = await oidc.refreshTokenGrant(request.configuration, tokens.refresh_token!, { scope: smaller });
    expect(narrow.scope).toBe(smaller);
    expect(narrow).not.toHaveProperty('id_token');
    expect(narrow.refresh_token).not.toBe(tokens.refresh_token);
    const whole = await oidc.refreshTokenGrant(request.configuration, narrow.refresh_token!, {
      resource: site.base_url,
    });
    expect(whole.scope).toBe(scope);
    tokens = whole;
    expect(await surface(audience, tokens.access_token)).toBe(200);
  });

  it('revokes its tokens, which then fail at the surface', async () => {
    await oidc.tokenRevocation(request.configuration, tokens.access_token);
    expect(await oidc.tokenIntrospection(request.configuration, tokens.access_token)).toEqual({ active: false });
    await expect(oidc.refreshTokenGrant(request.configuration, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(oidc.fetchUserInfo(request.configuration, tokens.access_token, oidc.skipSubjectCheck)).rejects.toThrow(
      oidc.WWWAuthenticateChallengeError,
    );
    // Resource servers receive revocations by a broadcast.
    const status = await eventually(
      () => surface(audience, tokens.access_token),
      (response) => response !== 200,
    );
    expect(status).toBe(401);
  });
});
