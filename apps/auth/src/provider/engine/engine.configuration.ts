import { SCOPE_NAMES, splitScope } from '@lyceum/contracts';
import { errors } from 'oidc-provider';
import type { AdapterFactory, Client, Configuration, FindAccount, KoaContextWithOIDC } from 'oidc-provider';
import { CLAIMS_OF_SCOPE } from '#src/people/claims.policy.js';
import type { KeySet } from '#src/keys/key-ring.js';
import { LIFETIMES, sessionLifetime } from '#src/protocol/lifetimes.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import {
  ENABLED_CLIENT_AUTH_METHODS,
  GRANT_TYPES,
  ID_TOKEN_ALGORITHMS,
  RESPONSE_MODES,
  RESPONSE_TYPES,
} from '#src/protocol/capabilities.js';
import { effectiveScopes } from '#src/scopes/ignored-scopes.policy.js';
import type { SiteRecord } from '#src/sites/site.js';
import { compatibilityHint, needsResource } from '#src/tokens/resource.policy.js';
import { CLIENT_PROPERTIES } from './adapters/client.adapter.js';
import type { Decisions } from '../browser-state/decisions.js';
import { missingScope, namesResource, rawScope } from './engine.internals.js';
import type { IdTokenReader } from './engine.internals.js';
import { tooLong, unknownScope } from './authorization.policy.js';
import { promptsOf } from './prompts.js';
import { INTERACTION_COOKIE, RESUME_COOKIE, sessionCookie } from '../browser-state/session-cookie.js';

export interface EngineParts {
  readonly site: SiteRecord;
  readonly keys: KeySet;
  /** Reads an `id_token_hint`. */
  readonly claimsOf: IdTokenReader;
  readonly cookieKeys: readonly string[];
  readonly adapter: AdapterFactory;
  readonly findAccount: FindAccount;
  readonly loadExistingGrant: NonNullable<Configuration['loadExistingGrant']>;
  readonly renderError: NonNullable<Configuration['renderError']>;
  readonly decisions: Pick<Decisions, 'keep'>;
}

const ALL_SCOPES = SCOPE_NAMES.join(' ');

function checkScope(ctx: KoaContextWithOIDC): void {
  const scope = rawScope(ctx);
  const unknown = unknownScope(scope);
  if (unknown !== undefined) throw new errors.InvalidScope('requested scope is not known', unknown);
  if (effectiveScopes(splitScope(scope)).length === 0) throw missingScope();
}

/** A request for member tokens must name their origin (RFC 8707). */
function checkResource(ctx: KoaContextWithOIDC): void {
  if (!needsResource(ctx.oidc.requestParamScopes) || namesResource(ctx)) return;
  throw new errors.InvalidTarget(`send resource=${ctx.oidc.issuer}, which the requested scope requires`);
}

/** PKCE and `iss` protect without it (RFC 9700 §2.1), so clients whose libraries send none may omit it. */
function mayOmitState(client: Client | undefined): boolean {
  const source = client?.['x_source'];
  return source === 'loopback' || source === 'platform' || client?.['x_compatibility'] === true;
}

const ofBoundedLength =
  (name: 'state' | 'nonce' | 'login_hint') =>
  (_ctx: KoaContextWithOIDC, value: string | undefined): void => {
    const error = tooLong(name, value);
    if (error !== undefined) throw new errors.InvalidRequest(error);
  };

function checkState(ctx: KoaContextWithOIDC, value: string | undefined): void {
  ofBoundedLength('state')(ctx, value);
  const { oidc } = ctx;
  if (value || mayOmitState(oidc.client)) return;
  const register = `register the client at ${oidc.issuer}${ENDPOINTS.registration}`;
  const hint = `For a library that cannot, ${register}, or ${compatibilityHint(oidc.issuer)}`;
  throw new errors.InvalidRequest(`state is required: send a random value and compare it on return. ${hint}`);
}

function resources(site: SiteRecord): NonNullable<Configuration['features']>['resourceIndicators'] {
  return {
    enabled: true,
    // Resources are in canonical spelling here, so this is the only valid one.
    defaultResource: () => site.base_url,
    getResourceServerInfo(_ctx, resource) {
      if (resource !== site.base_url) throw new errors.InvalidTarget();
      return { scope: ALL_SCOPES, audience: site.base_url };
    },
  };
}

function cookies(site: SiteRecord, keys: readonly string[]): Configuration['cookies'] {
  const { name, options } = sessionCookie(site);
  return {
    keys: [...keys],
    names: { session: name, interaction: INTERACTION_COOKIE, resume: RESUME_COOKIE },
    long: options,
    short: options,
  };
}

/** The engine's configuration for one site. Features that are not named here are off. */
export function engineConfiguration(parts: EngineParts): Configuration {
  const { site, keys } = parts;
  return {
    adapter: parts.adapter,
    findAccount: parts.findAccount,
    loadExistingGrant: parts.loadExistingGrant,
    renderError: parts.renderError,
    jwks: { keys: keys.privateKeys },
    routes: {
      authorization: ENDPOINTS.authorization,
      // Named explicitly, like the grants and methods below, so that the metadata of the engine equals ours.
      token: ENDPOINTS.token,
      jwks: ENDPOINTS.jwks,
    },
    interactions: {
      url: (_ctx, interaction) => `${ENDPOINTS.interaction}/${interaction.uid}`,
      policy: promptsOf(site),
    },
    cookies: cookies(site, parts.cookieKeys),
    responseTypes: [...RESPONSE_TYPES],
    pkce: { required: () => true },
    clientAuthMethods: [...ENABLED_CLIENT_AUTH_METHODS],
    enabledJWA: { idTokenSigningAlgValues: [...ID_TOKEN_ALGORITHMS] },
    clientDefaults: {
      grant_types: [...GRANT_TYPES],
      response_types: [...RESPONSE_TYPES],
      response_modes: [...RESPONSE_MODES],
      id_token_signed_response_alg: 'ES256',
      token_endpoint_auth_method: 'none',
    },
    extraClientMetadata: { properties: [...CLIENT_PROPERTIES] },
    scopes: [...SCOPE_NAMES],
    claims: Object.fromEntries(Object.entries(CLAIMS_OF_SCOPE).map(([scope, claims]) => [scope, [...claims]])),
    allowOmittingSingleRegisteredRedirectUri: false,
    issueRefreshToken: () => true,
    // Signing out ends the session and keeps the grants of applications.
    expiresWithSession: () => false,
    extraParams: {
      scope: checkScope,
      resource: checkResource,
      state: checkState,
      nonce: ofBoundedLength('nonce'),
      login_hint: ofBoundedLength('login_hint'),
    },
    ttl: {
      AuthorizationCode: LIFETIMES.authorizationCode,
      Grant: LIFETIMES.grant,
      Interaction: LIFETIMES.interaction,
      Session: (_ctx, { loginTs }) => sessionLifetime(loginTs),
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // This service issues tokens itself (docs/adr/0011): the engine only authorizes.
      userinfo: { enabled: false },
      introspection: { enabled: false },
      revocation: { enabled: false },
      resourceIndicators: resources(site),
    },
  };
}
