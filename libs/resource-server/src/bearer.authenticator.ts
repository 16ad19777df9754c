import { Injectable } from '@nestjs/common';
import { foreignAudience, holdsScopes } from '@lyceum/contracts';
import type { Principal, Scope, Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { actAsPrincipal } from '@lyceum/messaging';
import { currentActor } from '@lyceum/platform';
import type { Actor } from '@lyceum/platform';
import type { FastifyRequest } from 'fastify';
import { bearerToken } from './bearer-token.js';
import { bearerChallenge } from './challenge.js';
import type { Challenge } from './challenge.js';
import { ResourceServerOptions } from './configuration.js';
import { siteOf } from './request.js';
import { TokenVerifier } from './token-verifier.js';
import type { Presented } from './token-introspection.js';

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
    return this.#principalOf(await this.present(rawHeaders, site), site, scopes);
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
  admit(request: FastifyRequest, access: RequiredAccess, via: Actor['via']): void | Promise<void> {
    // A gate of the service has authenticated the caller before the body was read, or the request is internal.
    if (request.principal !== null) return this.#letIn(request, request.principal, access, via);
    const site = siteOf(request);
    // A body can come long after its head, and the token can be revoked meanwhile.
    const known = request.body === undefined ? request.presented : null;
    const presented = known ?? this.present(request.raw.rawHeaders, site);
    const letIn = (introspected: Presented): void =>
      this.#letIn(request, this.#principalOf(introspected, site, access.scopes), access, via);
    return presented instanceof Promise ? presented.then(letIn) : letIn(presented);
  }

  #letIn(request: FastifyRequest, principal: Principal, access: RequiredAccess, via: Actor['via']): void {
    this.authorize(principal, siteOf(request), access);
    request.principal = principal;
    // `useSites` has named the actor of an internal request: the tool call that caused it.
    if (currentActor() === undefined) actAsPrincipal(principal, via);
  }

  #principalOf(presented: Presented, site: Site, scopes: readonly string[]): Principal {
    switch (presented.kind) {
      case 'active':
        return presented.principal;
      case 'absent':
        throw this.#invalidToken(site, MISSING, scopes);
      case 'malformed':
        throw this.#invalidToken(site, presented.reason, scopes);
      case 'inactive':
        throw this.#invalidToken(site, INVALID, scopes);
      case 'foreign':
        throw this.#invalidToken(site, FOREIGN, scopes);
      case 'none':
        throw introspectionUnavailable(presented.retryAfter);
    }
  }

  /** Throws 403 unless the principal has the access. The challenge names all required scopes. */
  authorize(principal: Principal, site: Site, { scopes, anyScope, audience }: RequiredAccess): void {
    const foreign = audience && foreignAudience({ name: 'This', audience }, principal);
    if (foreign !== undefined) throw this.insufficientScope(site, scopes, foreign);
    if (anyScope === true && !scopes.some((scope) => holdsScopes(principal, [scope]))) {
      const hint = `Request one of ${scopes.join(', ')}`;
      throw this.insufficientScope(site, scopes, { detail: 'This needs one of several scopes', hint });
    }
    const needed = anyScope === true ? [] : scopes;
    if (!holdsScopes(principal, needed)) throw this.insufficientScope(site, needed);
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

  #invalidToken(site: Site, detail: string, scopes: readonly string[]): ApiError {
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
function introspectionUnavailable(retryAfter: number): ApiError {
  return new ApiError('temporarily_unavailable', 'The access token cannot be checked at the moment', { retryAfter });
}
