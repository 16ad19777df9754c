import { Injectable } from '@nestjs/common';
import type { Principal, Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { RateLimiter, RefusedTokens } from '@lyceum/rate-limit';
import type { Limit } from '@lyceum/rate-limit';
import { BearerAuthenticator, bearerToken, siteOf } from '@lyceum/resource-server';
import type { FastifyRequest } from 'fastify';
import { RESPONSE_TYPE, JSON_TYPE, responseType, isJsonBody } from '#src/schema/media-types.policy.js';
import type { ResponseType } from '#src/schema/media-types.policy.js';
import { OPERATION_ACCESS } from '#src/schema/operation-access.js';

/** urql 6 sends queries by GET unless it is configured otherwise. */
const ONLY_POST = 'Send GraphQL requests by POST. In urql, set preferGetMethod: false';

/** Refused tokens per source. Wider than the limit of `/mcp`: the browsers of a school share an address. */
const REFUSED: Limit = { name: 'refused', hits: 600, windowSeconds: 60, unit: 'refused access tokens' };

/** The least access of any operation, because the body is not read yet. */
const ENTRY = OPERATION_ACCESS.query;

/** The checks that reject a request before its body is read, in the documented order. */
@Injectable()
export class GraphqlGate {
  readonly #refused: RefusedTokens;

  constructor(
    private readonly authenticator: BearerAuthenticator,
    limiter: RateLimiter,
  ) {
    this.#refused = new RefusedTokens(limiter, REFUSED);
  }

  /** @throws ApiError */
  async enter(request: FastifyRequest): Promise<void> {
    const site = siteOf(request);
    const principal = await this.#authenticate(request, site);
    // 403 `insufficient_scope`: an operator's token has no account scope.
    this.authenticator.authorize(principal, site, ENTRY);
    this.#isPost(request);
    this.#isJson(request);
    request.principal = principal;
    request.memberContext = { principal, site, responseType: this.#responseType(request) };
  }

  /**
   * 401 `invalid_token`, or 503 without a challenge when introspection is unavailable. A source with too many refused
   * tokens gets 429 without an introspection.
   */
  #authenticate({ raw: { rawHeaders }, ip }: FastifyRequest, site: Site): Promise<Principal> {
    const presented = bearerToken(rawHeaders);
    const lookUp = () => this.authenticator.authenticate(rawHeaders, site, ENTRY.scopes);
    return presented.kind === 'token' ? this.#refused.check(presented.token, ip, lookUp) : lookUp();
  }

  #isPost({ method }: FastifyRequest): void {
    if (method === 'POST') return;
    throw new ApiError('method_not_allowed', ONLY_POST, { headers: { allow: 'POST' } });
  }

  #isJson({ headers }: FastifyRequest): void {
    if (isJsonBody(headers['content-type'])) return;
    throw new ApiError('unsupported_media_type', `The body must be ${JSON_TYPE}`);
  }

  /** Checked before execution: a mutation must not run for a client that accepts no response type. */
  #responseType({ headers }: FastifyRequest): ResponseType {
    const type = responseType(headers.accept);
    if (type !== undefined) return type;
    throw new ApiError('not_acceptable', `Accept must allow ${JSON_TYPE} or ${RESPONSE_TYPE}`);
  }
}
