import { hash, timingSafeEqual } from 'node:crypto';
import { splitScope } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { OAuthError } from '#src/edge/oauth-error.js';
import { grantableScopes } from '#src/scopes/grantable.policy.js';
import type { ClientAudience } from '#src/scopes/grantable.policy.js';
import { effectiveScopes } from '#src/scopes/ignored-scopes.policy.js';
import { compatibilityHint, needsResource } from './resource.policy.js';
import type { CodeRequest, RefreshRequest } from './token-request.js';

/** The stored state of a code or refresh token of this client and site. */
export interface CredentialState {
  /** Includes the expiry of its grant. */
  readonly expired: boolean;
  /** A redeemed code, or a redeemed refresh token that may not be repeated. */
  readonly used: boolean;
  readonly audience: ClientAudience;
  /** The scopes of the credential, separated by spaces. */
  readonly scope: string;
  /** The scopes that the person granted at this site; null without any. */
  readonly granted: string | null;
  /** False for a suspended or deleted person. */
  readonly has_person: boolean;
  readonly roles: readonly Role[];
}

export interface CodeState extends CredentialState {
  readonly redirect_uri: string;
  readonly code_challenge: string;
}

export interface RefreshTokenState extends CredentialState {
  /** The maximum number of repeats is reached. */
  readonly exhausted: boolean;
}

/** The client that exchanges a code, and its site. */
export interface Exchanger {
  readonly base_url: string;
  /** A missing resource is the granted one (RFC 8707 §2.2). */
  readonly compatibility_mode: boolean;
}

/** Issue tokens of a scope, refuse, or revoke the grant because a used credential was replayed. */
export type Decision =
  | { readonly kind: 'give'; readonly scope: string }
  | { readonly kind: 'refuse'; readonly error: OAuthError }
  | { readonly kind: 'replayed' };

/** RFC 7636 §4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** The same error for every cause: it must not reveal whether the credential exists for another client. */
export function invalidGrant(): OAuthError {
  return new OAuthError(400, 'invalid_grant', 'The code or token is not valid, or not for this client');
}

function resourceMissing(base_url: string): OAuthError {
  const cure = `Repeat resource=${base_url} in the token request`;
  const description = `${cure}. For a library that cannot, ${compatibilityHint(base_url)}`;
  return new OAuthError(400, 'invalid_target', description);
}

const refuse = (error: OAuthError): Decision => ({ kind: 'refuse', error });
const malformed = (text: string): Decision => refuse(new OAuthError(400, 'invalid_request', text));

/**
 * Decides a code exchange. The order matters: a client without proof of possession gets no information and changes
 * nothing, and a correctable error does not use up the code.
 */
export function decideExchange(request: CodeRequest, code: CodeState | undefined, client: Exchanger): Decision {
  if (code === undefined) return refuse(invalidGrant());
  if (request.code_verifier === undefined) return refuse(invalidGrant());
  if (!VERIFIER.test(request.code_verifier)) return malformed('code_verifier has 43 to 128 letters, digits or -._~');
  if (!isVerified(request.code_verifier, code.code_challenge)) return refuse(invalidGrant());
  if (request.redirect_uri !== code.redirect_uri) return refuse(invalidGrant());
  // Its tokens outlive the code, so a second use after its minute revokes them, too.
  if (code.used) return { kind: 'replayed' };
  if (code.expired) return refuse(invalidGrant());
  const mustRepeat = !client.compatibility_mode && needsResource(splitScope(code.scope));
  if (mustRepeat && !request.names_resource) return refuse(resourceMissing(client.base_url));
  return give(code, code.scope);
}

/**
 * Decides a refresh. A too wide scope is a mistake, a used token a theft: the mistake is reported first, and revokes
 * nothing.
 */
export function decideRefresh(request: RefreshRequest, token: RefreshTokenState | undefined): Decision {
  if (token === undefined || token.expired) return refuse(invalidGrant());
  const held = splitScope(token.scope);
  const requested = effectiveScopes(request.scope ?? []);
  const wider = requested.find((scope) => !held.includes(scope));
  if (wider !== undefined) return refuse(new OAuthError(400, 'invalid_scope', `${wider} was not granted`));
  if (token.used) return { kind: 'replayed' };
  if (token.exhausted) return refuse(invalidGrant());
  return give(token, requested.length === 0 ? token.scope : requested.join(' '));
}

/** Issues only what the person could authorize now. */
function give({ has_person, audience, roles, granted }: CredentialState, scope: string): Decision {
  const scopes = splitScope(granted ?? '');
  const grantable = grantableScopes(audience, roles, scopes);
  if (!has_person || !grantable.allowed || grantable.withheld.length > 0) return refuse(invalidGrant());
  const wanted = splitScope(scope);
  return { kind: 'give', scope: scopes.filter((one) => wanted.includes(one)).join(' ') };
}

/** RFC 7636 §4.6, S256. */
function isVerified(verifier: string, challenge: string): boolean {
  const given = Buffer.from(hash('sha256', verifier, 'base64url'));
  const expected = Buffer.from(challenge);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
