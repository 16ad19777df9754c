import { Injectable } from '@nestjs/common';
import type { Page } from '@lyceum/pages';
import { toApiError } from '@lyceum/platform';
import { errors } from 'oidc-provider';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { AuthSettings } from '#src/auth.environment.js';
import { KeyRing } from '#src/keys/key-ring.js';
import { authorizationErrorPage, staleInteractionPage } from '#src/pages/error.page.js';
import type { SiteRecord } from '#src/sites/site.js';
import { AccountFinder } from './account-finder.js';
import { EngineStorage } from './adapters/storage.js';
import { answeredPage } from './answered.page.js';
import { repeatContinuation, resumedUid } from './continuation.js';
import { Decisions } from '../browser-state/decisions.js';
import { Engine } from './engine.js';

/** An engine costs about a millisecond and 76 KB: the least recently used is dropped beyond this number of sites. */
const MAX_ENGINES = 500;

interface Entry {
  readonly engine: Engine;
  readonly revision: string;
}

/** One engine per site, created when first needed and again when the site or the signing keys change. */
@Injectable()
export class Engines {
  readonly #entries = new Map<string, Entry>();

  constructor(
    private readonly settings: AuthSettings,
    private readonly storage: EngineStorage,
    private readonly accounts: AccountFinder,
    private readonly keyRing: KeyRing,
    private readonly decisions: Decisions,
  ) {}

  async of(site: SiteRecord): Promise<Engine> {
    const keys = await this.keyRing.current();
    const revision = `${site.version}|${site.appearance.version}|${keys.revision}`;
    const kept = this.#entries.get(site.site_id);
    const entry = kept?.revision === revision ? kept : { engine: this.#make(site, keys), revision };
    // Deleting and setting moves it to the end: the first one is the least recently used.
    this.#entries.delete(site.site_id);
    this.#entries.set(site.site_id, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENGINES && oldest !== undefined) this.#entries.delete(oldest);
    return entry.engine;
  }

  #make(site: SiteRecord, keys: Awaited<ReturnType<KeyRing['current']>>): Engine {
    return new Engine({
      site,
      keys,
      claimsOf: (token) => this.keyRing.claimsOf(token),
      cookieKeys: this.settings.values.COOKIE_KEYS,
      adapter: this.storage.of(site),
      findAccount: this.accounts.finder(site),
      loadExistingGrant: this.accounts.grantLoader(site),
      decisions: this.decisions,
      renderError: async (ctx, out, error) => {
        const isOver = error instanceof errors.SessionNotFound;
        if (isOver && (await repeatContinuation(ctx, site, this.decisions))) return;
        const page = (isOver && (await answered(ctx, site, this.decisions))) || errorPage(site, out, error);
        for (const [name, value] of Object.entries(page.headers)) ctx.set(name, value);
        ctx.body = page.body;
      },
    });
  }
}

/** The page for a decision that was made before; undefined for an unknown or expired interaction. */
async function answered(ctx: KoaContextWithOIDC, site: SiteRecord, decisions: Decisions): Promise<Page | undefined> {
  const uid = resumedUid(ctx);
  const redirectUri = uid === undefined ? undefined : await decisions.endedFor(site, uid);
  return redirectUri === undefined ? undefined : answeredPage(site, redirectUri);
}

function errorPage(site: SiteRecord, out: ErrorOut, error: Error): Page {
  if (error instanceof errors.SessionNotFound) return staleInteractionPage(site);
  const unavailable = toApiError(error)?.code === 'temporarily_unavailable';
  return authorizationErrorPage(site, unavailable ? { error: 'temporarily_unavailable' } : out);
}
