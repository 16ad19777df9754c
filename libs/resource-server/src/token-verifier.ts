import { hash as digest } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Site } from '@lyceum/contracts';
import { SingleFlight } from '@lyceum/platform';
import { CircuitBreaker } from './circuit-breaker.js';
import { LIMITS, ResourceServerOptions } from './configuration.js';
import { IntrospectionClient } from './introspection.client.js';
import { Revocations } from './revocations.js';
import { IntrospectionCache } from './introspection-cache.js';
import { VerifierMetrics } from './verifier.metrics.js';
import { INACTIVE, IntrospectionUnavailable } from './token-introspection.js';
import type { TokenState, TokenIntrospection } from './token-introspection.js';

/** Verifies bearer tokens for a site. One per process. */
@Injectable()
export class TokenVerifier {
  readonly #logger = new Logger(TokenVerifier.name);
  readonly #cache: IntrospectionCache;
  readonly #breaker = new CircuitBreaker();
  /** Concurrent requests with the same token share one introspection. */
  readonly #flights = new SingleFlight<TokenState>();
  /** Grows with every revocation and every gap: results of earlier introspections are not cached. */
  #epoch = 0;

  constructor(
    private readonly introspection: IntrospectionClient,
    private readonly revocations: Revocations,
    private readonly metrics: VerifierMetrics,
    { activeLifetime }: ResourceServerOptions,
  ) {
    this.#cache = new IntrospectionCache(undefined, { activeLifetime });
    revocations.onRevocation((revocation) => {
      this.#newEpoch();
      this.#cache.revoke(revocation);
    });
    revocations.onGap(() => {
      this.#newEpoch();
      this.#cache.clear();
    });
  }

  /** A promise only for a token whose introspection result is not cached. */
  verify(token: string, site: Pick<Site, 'site_id' | 'base_url'>): TokenIntrospection | Promise<TokenIntrospection> {
    if (token.length > LIMITS.tokenLength) return this.#counted(INACTIVE);
    const hash = digest('sha256', token, 'hex');
    const known = this.revocations.listening ? this.#cache.get(hash) : undefined;
    if (known === undefined) return this.#verify(token, hash, site);
    this.metrics.cacheHit();
    return this.#counted(at(site, known));
  }

  async #verify(token: string, hash: string, site: Pick<Site, 'site_id' | 'base_url'>): Promise<TokenIntrospection> {
    try {
      return this.#counted(at(site, await this.#flights.run(hash, () => this.#introspect(token, hash))));
    } catch (error) {
      if (!(error instanceof IntrospectionUnavailable)) throw error;
      return this.#counted({ kind: 'none', retryAfter: error.retryAfter });
    }
  }

  #counted(result: TokenIntrospection): TokenIntrospection {
    this.metrics.introspected(result.kind);
    return result;
  }

  async #introspect(token: string, hash: string): Promise<TokenState> {
    if (this.#flights.size >= LIMITS.inFlight)
      throw new IntrospectionUnavailable('too many introspections are running');
    const wait = this.#breaker.enter();
    const retryAfter = Math.ceil(wait / 1000);
    if (wait > 0) throw new IntrospectionUnavailable('the circuit breaker of auth is open', { retryAfter });
    const epoch = this.#epoch;
    const done = this.metrics.introspection();
    const began = performance.now();
    try {
      const state = await this.introspection.introspect(token, hash);
      this.#breaker.succeeded();
      done('answer');
      if (epoch === this.#epoch && this.revocations.listening)
        this.#cache.put(hash, state, Date.now(), performance.now() - began);
      return state;
    } catch (error) {
      this.#breaker.failed();
      done('fault');
      this.#logger.warn({ msg: 'a token could not be introspected', err: error });
      throw error;
    }
  }

  /** Later requests must not share an introspection that started earlier. */
  #newEpoch(): void {
    this.#epoch += 1;
    this.#flights.forget();
  }
}

/** RFC 8707: a token is valid only at the origin that it was issued for. */
function at(site: Pick<Site, 'site_id' | 'base_url'>, state: TokenState): TokenIntrospection {
  if (state.kind === 'inactive') return INACTIVE;
  const { principal, origins } = state;
  if (principal.site_id !== site.site_id || !origins.includes(site.base_url)) return { kind: 'foreign' };
  return principal.expires_at * 1000 <= Date.now() ? INACTIVE : { kind: 'active', principal };
}
