import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { roleSchema, splitScope } from '@lyceum/contracts';
import { Pool } from 'undici';
import { z } from 'zod';
import { LIMITS, ResourceServerOptions } from './configuration.js';
import { SiteDirectory } from './site-directory.js';
import { INACTIVE, IntrospectionUnavailable } from './token-introspection.js';
import type { TokenState } from './token-introspection.js';

/** RFC 7662 §2.2 with the members that auth adds. `aud` may be one string or several (RFC 7519 §4.1.3). */
const responseSchema = z.discriminatedUnion('active', [
  z.object({ active: z.literal(false) }),
  z.object({
    active: z.literal(true),
    sub: z.uuid(),
    person_id: z.uuid(),
    client_id: z.string().min(1),
    exp: z.int().positive(),
    aud: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
    scope: z.string(),
    token_type: z.string().regex(/^bearer$/i),
    grant_id: z.string().min(1),
    org_id: z.string().min(1),
    audience: z.enum(['operator', 'member']),
    roles: z.array(roleSchema),
  }),
]);

/**
 * Errors of a kept-alive connection that closed during the request. Introspection is safe to repeat, so it is retried
 * once.
 */
const STALE = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isStale(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && STALE.has(error.code);
}

/** Client of auth's RFC 7662 endpoint. Throws `IntrospectionUnavailable` for every invalid response. */
@Injectable()
export class IntrospectionClient implements OnApplicationShutdown {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #credentials: string;

  constructor(
    options: ResourceServerOptions,
    private readonly sites: SiteDirectory,
  ) {
    const { INTROSPECTION_URL, INTROSPECTION_CLIENT_ID, INTROSPECTION_CLIENT_SECRET } = options.introspection;
    const url = new URL(INTROSPECTION_URL);
    this.#path = url.pathname + url.search;
    this.#credentials = new URLSearchParams({
      client_id: INTROSPECTION_CLIENT_ID,
      client_secret: INTROSPECTION_CLIENT_SECRET,
    }).toString();
    this.#pool = new Pool(url.origin, {
      connections: LIMITS.connections,
      pipelining: 1,
      keepAliveTimeout: 30_000,
      maxResponseSize: LIMITS.responseBytes,
    });
  }

  /** `hash` is the SHA-256 of the token in hexadecimal. */
  async introspect(token: string, hash: string): Promise<TokenState> {
    const body = await this.#ask(token);
    const parsed = responseSchema.safeParse(body);
    if (!parsed.success) throw new IntrospectionUnavailable('auth sent an invalid response', 1, parsed.error);
    const answer = parsed.data;
    if (!answer.active || answer.exp * 1000 <= Date.now()) return INACTIVE;
    const site = this.sites.byOrgId(answer.org_id);
    // No request reaches a site that is not in the directory, so its token is valid nowhere else.
    if (site === undefined) return INACTIVE;
    return {
      kind: 'active',
      origins: typeof answer.aud === 'string' ? [answer.aud] : answer.aud,
      principal: {
        person_id: answer.person_id,
        member_id: answer.sub,
        site_id: site.site_id,
        client_id: answer.client_id,
        audience: answer.audience,
        scopes: splitScope(answer.scope),
        roles: answer.roles,
        grant_id: answer.grant_id,
        token_fingerprint: hash.slice(0, 16),
        expires_at: answer.exp,
      },
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#pool.destroy();
  }

  async #ask(token: string): Promise<unknown> {
    const signal = AbortSignal.timeout(LIMITS.budget);
    try {
      return await this.#post(token, signal);
    } catch (first) {
      if (first instanceof IntrospectionUnavailable) throw first;
      if (!isStale(first) || signal.aborted) throw new IntrospectionUnavailable('auth cannot be reached', 1, first);
    }
    try {
      return await this.#post(token, signal);
    } catch (second) {
      throw second instanceof IntrospectionUnavailable
        ? second
        : new IntrospectionUnavailable('auth cannot be reached', 1, second);
    }
  }

  async #post(token: string, signal: AbortSignal): Promise<unknown> {
    const response = await this.#pool.request({
      method: 'POST',
      path: this.#path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: `token=${encodeURIComponent(token)}&token_type_hint=access_token&${this.#credentials}`,
      signal,
    });
    if (response.statusCode !== 200) {
      await response.body.dump();
      throw new IntrospectionUnavailable(`auth answered ${response.statusCode}`);
    }
    const text = await response.body.text();
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new IntrospectionUnavailable('auth gave an answer that is not JSON', 1, error);
    }
  }
}
