import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { roleSchema, splitScope } from '@lyceum/contracts';
import { injectTrace } from '@lyceum/platform';
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
const STALE = new Set(['ECONNRESET', 'EPIPE']);

function isStale(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && STALE.has(error.code);
}

/** Client of auth's RFC 7662 endpoint. Throws `IntrospectionUnavailable` without a valid response, and nothing else. */
@Injectable()
export class IntrospectionClient implements OnApplicationShutdown {
  readonly #url: URL;
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;
  readonly #credentials: string;
  readonly #budget: number;

  constructor(
    options: ResourceServerOptions,
    private readonly sites: SiteDirectory,
  ) {
    const { INTROSPECTION_URL, INTROSPECTION_CLIENT_ID, INTROSPECTION_CLIENT_SECRET } = options.introspection;
    this.#budget = options.introspection.INTROSPECTION_BUDGET_MS;
    this.#url = new URL(INTROSPECTION_URL);
    this.#credentials = new URLSearchParams({
      client_id: INTROSPECTION_CLIENT_ID,
      client_secret: INTROSPECTION_CLIENT_SECRET,
    }).toString();
    const kept = { keepAlive: true, maxSockets: LIMITS.connections, timeout: LIMITS.idleConnection };
    const secure = this.#url.protocol === 'https:';
    this.#agent = secure ? new HttpsAgent(kept) : new HttpAgent(kept);
    this.#request = secure ? httpsRequest : httpRequest;
  }

  /** `hash` is the SHA-256 of the token in hexadecimal. */
  async introspect(token: string, hash: string): Promise<TokenState> {
    const parsed = responseSchema.safeParse(await this.#ask(token));
    if (!parsed.success) throw new IntrospectionUnavailable('auth sent an invalid response', { cause: parsed.error });
    const found = parsed.data;
    if (!found.active || found.exp * 1000 <= Date.now()) return INACTIVE;
    const site = this.sites.byOrgId(found.org_id);
    // No request reaches a site that is not in the directory, so its token is valid nowhere else.
    if (site === undefined) return INACTIVE;
    return {
      kind: 'active',
      origins: typeof found.aud === 'string' ? [found.aud] : found.aud,
      principal: {
        person_id: found.person_id,
        member_id: found.sub,
        site_id: site.site_id,
        client_id: found.client_id,
        audience: found.audience,
        scopes: splitScope(found.scope),
        roles: found.roles,
        grant_id: found.grant_id,
        token_fingerprint: hash.slice(0, 16),
        expires_at: found.exp,
      },
    };
  }

  onApplicationShutdown(): void {
    this.#agent.destroy();
  }

  async #ask(token: string): Promise<unknown> {
    const signal = AbortSignal.timeout(this.#budget);
    try {
      return await this.#post(token, signal).catch((error: unknown) => {
        if (!isStale(error) || signal.aborted) throw error;
        return this.#post(token, signal);
      });
    } catch (error) {
      if (error instanceof IntrospectionUnavailable) throw error;
      throw new IntrospectionUnavailable('auth cannot be reached', { cause: error });
    }
  }

  async #post(token: string, signal: AbortSignal): Promise<unknown> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    injectTrace(headers);
    const body = `token=${encodeURIComponent(token)}&token_type_hint=access_token&${this.#credentials}`;
    const response = await this.#send(headers, body, signal);
    if (response.statusCode !== 200) {
      response.resume();
      throw new IntrospectionUnavailable(`auth answered ${response.statusCode}`);
    }
    const text = await textOf(response);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new IntrospectionUnavailable('auth sent a body that is not JSON', { cause: error });
    }
  }

  #send(headers: OutgoingHttpHeaders, body: string, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const options = {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: this.#agent,
        signal,
      };
      this.#request(this.#url, options, resolve).on('error', reject).end(body);
    });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    text += String(chunk);
    // Ends the connection as well.
    if (text.length > LIMITS.responseBytes) throw new IntrospectionUnavailable('auth sent too much');
  }
  return text;
}
