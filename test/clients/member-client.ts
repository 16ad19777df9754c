import * as oidc from 'openid-client';

export interface RegisteredClient {
  readonly client_id: string;
  readonly client_secret?: string;
}

export interface AuthorizationRequest {
  readonly url: URL;
  readonly configuration: oidc.Configuration;
  readonly checks: { pkceCodeVerifier: string; expectedState: string; expectedNonce: string };
  readonly resource: string;
}

/** Discovers the site and creates an authorization request with openid-client. */
export async function authorizationRequest(
  baseUrl: string,
  client: RegisteredClient,
  scope: string,
): Promise<AuthorizationRequest> {
  const configuration = await oidc.discovery(
    new URL(baseUrl),
    client.client_id,
    client.client_secret === undefined ? {} : { client_secret: client.client_secret },
    client.client_secret === undefined ? oidc.None() : oidc.ClientSecretPost(client.client_secret),
    { execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks] },
  );
  const checks = {
    pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
    expectedState: oidc.randomState(),
    expectedNonce: oidc.randomNonce(),
  };
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: 'http://127.0.0.1:7777/callback',
    scope,
    resource: baseUrl,
    code_challenge: await oidc.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
  });
  return { url, configuration, checks, resource: baseUrl };
}

/**
 * Exchanges the code at the end of `callback`; openid-client checks `iss`, `state`, `nonce` and the id_token's
 * signature.
 */
export async function exchange(
  request: AuthorizationRequest,
  callback: URL,
): Promise<oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers> {
  return oidc.authorizationCodeGrant(request.configuration, callback, request.checks, { resource: request.resource });
}
