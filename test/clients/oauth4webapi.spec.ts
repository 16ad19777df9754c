import { approve, eventually } from '@lyceum/testing';
import * as oauth from 'oauth4webapi';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import type { SystemPerson } from '../stack/system-stack.js';

const site = systemStack().sites[0]!;
const REDIRECT = 'http://127.0.0.1:7777/callback';
/** The stack uses plain HTTP on loopback. */
const options = { [oauth.allowInsecureRequests]: true };

/** Discovery from the URL of an API alone: 401, resource metadata, server metadata. */
async function discover(api: URL): Promise<{ server: oauth.AuthorizationServer; resource: string; scope?: string }> {
  const refusal = await oauth
    .protectedResourceRequest('none', 'GET', api, undefined, null, options)
    .catch((e: unknown) => e);
  if (!(refusal instanceof oauth.WWWAuthenticateChallengeError)) throw refusal;
  const challenge = refusal.cause.find(({ scheme }) => scheme === 'bearer')!;
  const url = new URL(challenge.parameters.resource_metadata!);
  const described = url.pathname.replace('/.well-known/oauth-protected-resource', '');
  const target = new URL(described, url.origin);
  const metadata = await oauth.processResourceDiscoveryResponse(
    target,
    await oauth.resourceDiscoveryRequest(target, options),
  );
  const issuer = new URL(metadata.authorization_servers![0]!);
  const response = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
  const server = await oauth.processDiscoveryResponse(issuer, response);
  const { scope } = challenge.parameters;
  return { server, resource: metadata.resource, ...(scope === undefined ? {} : { scope }) };
}

/** One sign-in, step by step, which oauth4webapi leaves to the application. */
async function signIn(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  authentication: oauth.ClientAuth,
  wanted: { scope: string; resource: string; person: SystemPerson },
) {
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = new URL(server.authorization_endpoint!);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    scope: wanted.scope,
    resource: wanted.resource,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const callback = oauth.validateAuthResponse(server, client, await approve(url, wanted.person), state);
  const exchange = async () =>
    oauth.authorizationCodeGrantRequest(server, client, authentication, callback, REDIRECT, verifier, {
      ...options,
      additionalParameters: { resource: wanted.resource },
    });
  const response = await exchange();
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, response, options);
  return { tokens, exchange };
}

describe.each([
  { audience: 'member', kind: 'public', role: 'student', path: '/member/graphql', scope: 'openid account:read' },
  { audience: 'member', kind: 'confidential', role: 'student', path: '/member/graphql', scope: 'openid account:read' },
  { audience: 'operator', kind: 'public', role: 'owner', path: '/api/v1/courses', scope: 'openid courses:read' },
  { audience: 'operator', kind: 'confidential', role: 'admin', path: '/api/v1/courses', scope: 'openid courses:read' },
] as const)('oauth4webapi as a $kind client for $audience tokens', ({ audience, kind, role, path, scope }) => {
  const { client_id, client_secret } = clientOf(site, audience, kind);
  const client: oauth.Client = { client_id };
  const authentication = client_secret === undefined ? oauth.None() : oauth.ClientSecretPost(client_secret);
  const api = new URL(path, site.base_url);

  it('discovers, signs in, reads data and signs out', async () => {
    const { server, resource } = await discover(api);
    expect(resource).toBe(site.base_url);
    const { tokens } = await signIn(server, client, authentication, { scope, resource, person: personOf(site, role) });
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ aud: client.client_id, roles: [role] });

    const use = async (token: string) =>
      audience === 'member'
        ? oauth.protectedResourceRequest(
            token,
            'POST',
            api,
            new Headers({ 'content-type': 'application/json' }),
            '{"query":"{ viewer { id } }"}',
            options,
          )
        : oauth.protectedResourceRequest(token, 'GET', api, undefined, null, options);
    expect((await use(tokens.access_token)).status).toBe(200);

    const response = await oauth.introspectionRequest(server, client, authentication, tokens.access_token, options);
    expect(await oauth.processIntrospectionResponse(server, client, response)).toMatchObject({ active: true, scope });

    const refresh = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      tokens.refresh_token!,
      options,
    );
    const refreshed = await oauth.processRefreshTokenResponse(server, client, refresh);
    expect((await use(refreshed.access_token)).status).toBe(200);

    const revocation = await oauth.revocationRequest(server, client, authentication, refreshed.refresh_token!, options);
    await oauth.processRevocationResponse(revocation);
    const refused = async () => use(refreshed.access_token).catch((error: { status?: number }) => error);
    expect((await eventually(refused, ({ status }) => status !== 200)).status).toBe(401);
  });
});

describe('oauth4webapi as an application on a device', () => {
  it('registers, and gets errors for a replayed code and a foreign scope', async () => {
    const { server, resource, scope } = await discover(new URL('/api/v1/courses', site.base_url));
    expect(scope).toBe('courses:read');
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: 'A command-line tool',
        application_type: 'native',
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: 'none',
      },
      options,
    );
    const client = await oauth.processDynamicClientRegistrationResponse(response);
    expect(client).toMatchObject({ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' });

    const wanted = { scope: 'openid courses:read', resource, person: personOf(site, 'owner') };
    const { exchange } = await signIn(server, client, oauth.None(), wanted);
    const replay = oauth.processAuthorizationCodeResponse(server, client, await exchange());
    await expect(replay).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });

    const beyond = signIn(server, client, oauth.None(), { ...wanted, scope: 'openid account:read' });
    await expect(beyond).rejects.toMatchObject({ error: 'invalid_scope' });
  });

  it('cannot register a callback that is neither loopback nor of a known platform', async () => {
    const { server } = await discover(new URL('/api/v1/courses', site.base_url));
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      { client_name: 'A web site', redirect_uris: ['https://app.example/callback'] },
      options,
    );
    await expect(oauth.processDynamicClientRegistrationResponse(response)).rejects.toMatchObject({
      error: 'invalid_redirect_uri',
    });
  });
});
