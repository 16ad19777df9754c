import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { toApiError } from '@lyceum/platform';
import Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { RESPONSE_TYPES } from '#src/protocol/capabilities.js';
import { CookieKeys } from './cookie-keys.js';
import { engineConfiguration } from './engine.configuration.js';
import { sessionCookie } from '../browser-state/session-cookie.js';
import type { EngineParts } from './engine.configuration.js';
import { completeContinuation } from './continuation.js';
import { acceptOlderHints, checkResponseTypeFirst, withdrawCookie } from './engine.internals.js';

const logger = new Logger('Engine');

/** The OAuth engine of one site. Its assumptions about the library are in engine.internals.ts. */
export class Engine {
  readonly provider: Provider;
  readonly #handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  constructor(parts: EngineParts) {
    const provider = new Provider(parts.site.base_url, engineConfiguration(parts));
    // engine-request.ts sets scheme and host of the requests.
    provider.proxy = true;
    provider.keys = new CookieKeys(parts.cookieKeys);
    this.provider = provider;
    checkResponseTypeFirst(provider.Client, RESPONSE_TYPES);
    acceptOlderHints(provider, parts.claimsOf);
    this.#completeResponses(parts);
    provider.on('server_error', (ctx, error) => {
      ctx.state['serverError'] = error;
      if (toApiError(error) === undefined) logger.error(error);
    });
    this.#handle = provider.callback();
  }

  handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#handle(request, response);
  }

  #completeResponses({ site, decisions }: EngineParts): void {
    const { name } = sessionCookie(site);
    this.provider.use(async (ctx, next) => {
      await next();
      withdrawCookie(ctx, name);
      await completeContinuation(ctx, site, decisions);
      if (ctx.status >= 500) this.#explainError(ctx);
      ctx.set('cache-control', 'no-store');
    });
  }

  /** A database outage is a temporary 503. */
  #explainError(
    ctx:
      | KoaContextWithOIDC
      | { state: Record<string, unknown>; status: number; body: unknown; set(name: string, value: string): void },
  ): void {
    const outcome = toApiError(ctx.state['serverError']);
    if (outcome?.code !== 'temporarily_unavailable') return;
    ctx.status = 503;
    ctx.set('retry-after', String(outcome.retryAfter ?? 1));
    // Pages keep their body (see engines.ts).
    if (typeof ctx.body === 'string') return;
    ctx.body = { error: 'temporarily_unavailable', error_description: 'try again in a moment' };
  }
}
