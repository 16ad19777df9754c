import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { toOutcome } from '@lyceum/platform';
import Provider from 'oidc-provider';
import type { Interaction, KoaContextWithOIDC } from 'oidc-provider';
import { matchesDigest } from '#src/tokens/digest.js';
import { engineConfiguration } from './engine.configuration.js';
import type { EngineParts } from './engine.configuration.js';
import type { Ledger } from './ledger.js';

const logger = new Logger('Engine');

function isRefresh(ctx: KoaContextWithOIDC | undefined): boolean {
  return ctx?.oidc.params?.['grant_type'] === 'refresh_token';
}

/** One site's OAuth engine. Everything that bends the library to our rules beyond its configuration is in this file. */
export class Engine {
  readonly provider: Provider;
  readonly #handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  constructor(
    private readonly parts: EngineParts,
    private readonly ledger: Ledger,
  ) {
    const provider = new Provider(parts.site.base_url, engineConfiguration(parts));
    // Scheme and host of the requests that it gets are our own (engine-request.ts).
    provider.proxy = true;
    this.provider = provider;
    this.#compareDigests();
    this.#signOnlyAtCodeExchange();
    this.#completeAnswers();
    provider.on('server_error', (ctx, error) => {
      ctx.state['fault'] = error;
      if (toOutcome(error) === undefined) logger.error(error);
    });
    this.#handle = provider.callback();
  }

  handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#handle(request, response);
  }

  interaction(request: IncomingMessage, response: ServerResponse): Promise<Interaction> {
    return this.provider.interactionDetails(request, response);
  }

  /** Secrets are stored as digests; the library's own hook for that is its prototype. */
  #compareDigests(): void {
    Object.assign(this.provider.Client.prototype, {
      compareClientSecret(this: { clientSecret?: string }, given: unknown): boolean {
        if (typeof given !== 'string' || this.clientSecret === undefined) return false;
        return matchesDigest(given, Buffer.from(this.clientSecret, 'hex'));
      },
    });
  }

  /** Refresh answers carry no id_token, so none is signed; nor while keys are only published ahead of their time. */
  #signOnlyAtCodeExchange(): void {
    const { signing } = this.parts.keys;
    const { prototype } = this.provider.IdToken;
    const issue = prototype.issue;
    prototype.issue = function issueAtCodeExchange(options) {
      const skipped = !signing || isRefresh(Provider.ctx);
      // The answer leaves out what is undefined.
      return skipped ? (Promise.resolve(undefined) as unknown as Promise<string>) : issue.call(this, options);
    };
  }

  #completeAnswers(): void {
    const { site } = this.parts;
    this.provider.use(async (ctx, next) => {
      await next();
      const oidc = (ctx as Partial<KoaContextWithOIDC>).oidc;
      if (ctx.status >= 500) this.#explainFault(ctx);
      if (oidc?.route === 'token' && ctx.status === 200) {
        const created_at = Math.floor(Date.now() / 1000);
        ctx.body = { ...(ctx.body as object), created_at, school_id: site.org_id };
        await this.ledger.tokensGiven(site.site_id, ctx as KoaContextWithOIDC);
      }
      ctx.set('cache-control', 'no-store');
    });
  }

  /** The database is away: that is 503 and passes, not a fault of the request's. */
  #explainFault(
    ctx:
      | KoaContextWithOIDC
      | { state: Record<string, unknown>; status: number; body: unknown; set(name: string, value: string): void },
  ): void {
    const outcome = toOutcome(ctx.state['fault']);
    if (outcome?.code !== 'temporarily_unavailable') return;
    ctx.status = 503;
    ctx.set('retry-after', String(outcome.retryAfter ?? 1));
    // A page stays a page (see engines.ts).
    if (typeof ctx.body === 'string') return;
    ctx.body = { error: 'temporarily_unavailable', error_description: 'try again in a moment' };
  }
}
