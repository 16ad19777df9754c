import { Injectable } from '@nestjs/common';
import { holdsScopes } from '@lyceum/contracts';
import type { Principal, Scope, Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { actAsPrincipal } from '@lyceum/messaging';
import { currentActor } from '@lyceum/platform';
import type { FastifyRequest } from 'fastify';
import { bearerToken } from './bearer-token.js';
import type { BearerToken } from './bearer-token.js';
import { bearerChallenge } from './challenge.js';
import type { Challenge } from './challenge.js';
import { ResourceServerOptions } from './configuration.js';
import { TokenVerifier } from './token-verifier.js';
import type { TokenIntrospection } from './token-introspection.js';

export type Presented = Exclude<BearerToken, { readonly kind: 'token' }> | TokenIntrospection;

/** The access that an endpoint requires. */
export interface RequiredAccess {
  /** The principal needs all of them, or with `anyScope` one of them. */
  readonly scopes: readonly Scope[];
  readonly anyScope?: boolean | undefined;
  readonly audience?: Principal['audience'] | undefined;
}

const MISSING = 'An access token is needed, in the header Authorization: Bearer <token>';
const INVALID = 'The access token is expired, revoked or unknown';
const FOREIGN = 'The access token was issued for another site';

/**
 * Authenticates and authorizes bearer tokens: 401 and 403 with their challenge, 503 without one. Throws `ApiError`s.
 */
@Injectable()
export class BearerAuthenticator {
  constructor(
    private readonly verifier: TokenVerifier,
    private readonly options: ResourceServerOptions,
  ) {}

  /** The principal of a request to `site`, from its raw headers. The challenge names `scopes`. */
  async authenticate(rawHeaders: readonly string[], site: Site, scopes: readonly string[] = []): Promise<Principal> {
    return this.principalOf(await this.present(rawHeaders, site), site, scopes);
  }

  /** Introspects the token of a request without refusing the request. A promise only for a token that is not cached. */
  present(rawHeaders: readonly string[], site: Site): Presented | Promise<Presented> {
    const presented = bearerToken(rawHeaders);
    return presented.kind === 'token' ? this.verifier.verify(presented.token, site) : presented;
  }

  /**
   * Lets a request in, or throws its refusal: 401, 403 or 503. A promise only for a token that is not cached. Sets the
   * principal and the actor of the request.
   */
  admit(request: FastifyRequest, access: RequiredAccess, via: 'graphql' | 'rest'): void | Promise<void> {
    const { site } = request;
    if (site === null || site === undefined) throw new Error('The request has no site: call useSites(app)');
    // A hook of the surface may have introspected the token before the body was read.
    const presented = request.presented ?? this.present(request.raw.rawHeaders, site);
    if (!(presented instanceof Promise)) return this.#letIn(request, presented, site, access, via);
    return presented.then((introspected) => this.#letIn(request, introspected, site, access, via));
  }

  #letIn(
    request: FastifyRequest,
    presented: Presented,
    site: Site,
    { scopes, anyScope, audience }: RequiredAccess,
    via: 'graphql' | 'rest',
  ): void {
    request.presented = presented;
    request.principal ??= this.principalOf(presented, site, scopes);
    if (anyScope === true) this.#authorizeByOne(request.principal, site, scopes);
    this.authorize(request.principal, site, anyScope === true ? [] : scopes, audience);
    // An internal request inherits the actor of the tool call that caused it.
    if (currentActor() === undefined) actAsPrincipal(request.principal, via);
  }

  principalOf(presented: Presented, site: Site, scopes: readonly string[]): Principal {
    switch (presented.kind) {
      case 'active':
        return presented.principal;
      case 'absent':
        throw this.invalidToken(site, MISSING, scopes);
      case 'malformed':
        throw this.invalidToken(site, presented.reason, scopes);
      case 'inactive':
        throw this.invalidToken(site, INVALID, scopes);
      case 'foreign':
        throw this.invalidToken(site, FOREIGN, scopes);
      case 'none':
        throw introspectionUnavailable(presented.retryAfter);
    }
  }

  /** Throws 403 unless the principal has the scopes and the audience. The challenge names all required scopes. */
  authorize(principal: Principal, site: Site, scopes: readonly string[], audience?: Principal['audience']): void {
    const ofAudience = audience === undefined || principal.audience === audience;
    if (!ofAudience || !holdsScopes(principal, scopes)) throw this.insufficientScope(site, scopes);
  }

  #authorizeByOne(principal: Principal, site: Site, scopes: readonly string[]): void {
    if (scopes.some((scope) => holdsScopes(principal, [scope]))) return;
    const hint = `Request one of ${scopes.join(', ')}`;
    throw this.insufficientScope(site, scopes, { detail: 'This needs one of several scopes', hint });
  }

  /** @param why detail to send in place of the scopes, when no scope would be sufficient */
  insufficientScope(site: Site, scopes: readonly string[], why?: { detail: string; hint: string }): ApiError {
    const scope = scopes.join(' ');
    const needed = scope === '' ? 'another access token' : `an access token with the scope ${scope}`;
    const detail = why === undefined ? `This needs ${needed}` : `${why.detail}. ${why.hint}`;
    return new ApiError('insufficient_scope', detail, {
      scopes,
      ...(why === undefined ? {} : { hint: why.hint }),
      headers: this.#challenge(site, { error: 'insufficient_scope', description: detail, scope }),
    });
  }

  /**
   * Returns the error that asks an anonymous caller to sign in. The request was valid, so it has no `error` (RFC 6750
   * §3.1).
   */
  signInNeeded(site: Site, scopes: readonly string[]): ApiError {
    return new ApiError('invalid_token', MISSING, {
      scopes,
      headers: this.#challenge(site, { scope: scopes.join(' ') }),
    });
  }

  invalidToken(site: Site, detail: string, scopes: readonly string[] = []): ApiError {
    return new ApiError('invalid_token', detail, {
      scopes,
      headers: this.#challenge(site, { error: 'invalid_token', description: detail, scope: scopes.join(' ') }),
    });
  }

  #challenge(site: Site, challenge: Omit<Challenge, 'metadataPath'>): Record<string, string> {
    return {
      'WWW-Authenticate': bearerChallenge(site, { ...challenge, metadataPath: this.options.metadataPath }),
    };
  }
}

/** Says nothing about the token: no challenge, so that clients keep valid tokens. */
export function introspectionUnavailable(retryAfter: number): ApiError {
  return new ApiError('temporarily_unavailable', 'The access token cannot be checked at the moment', { retryAfter });
}
