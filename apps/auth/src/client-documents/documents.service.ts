import { Injectable, Logger } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { SingleFlight } from '@lyceum/platform';
import { LRUCache } from 'lru-cache';
import { RateLimiter, sourceOf } from '@lyceum/rate-limit';
import { LIMITS } from '#src/limits/limits.js';
import type { SiteRecord } from '#src/sites/site.js';
import { clientIdUrl, looksLikeUrl, permitsHost } from './client-id-url.policy.js';
import { DocumentClients } from './document-clients.service.js';
import { DocumentFetcher } from './document.fetcher.js';
import type { Fetched } from './document.fetcher.js';
import { readDocument } from './document.policy.js';
import type { ClientDocument } from './document.policy.js';
import type { KnownClient } from './documents.repository.js';
import { STALE_SECONDS } from './freshness.policy.js';

/** The reason why an authorization cannot begin. It is shown to the person, never sent to a redirect URI. */
export interface DocumentRefusal {
  readonly error: 'invalid_client' | 'invalid_client_metadata' | 'temporarily_unavailable';
  readonly error_description: string;
  readonly retryAfter?: number;
}

type Found = Extract<Fetched, { kind: 'found' }>;
type FetchResult =
  | ({ readonly kind: 'document' } & ClientDocument & Pick<Found, 'etag' | 'freshSeconds'>)
  | { readonly kind: 'refused'; readonly refusal: DocumentRefusal }
  | Exclude<Fetched, { kind: 'found' | 'invalid' }>;

/** How long and for how many URLs an outage is remembered. */
const OUTAGES = { max: 1_000, ttl: 60_000 };

const refused = (error_description: string): DocumentRefusal => ({ error: 'invalid_client', error_description });
const NOT_FETCHED = refused('The document at client_id could not be fetched');

/**
 * Client ID Metadata Documents. The client of a URL is updated and stored before an authorization. All later steps
 * (consent, code exchange, refresh, revocation, introspection) read the stored client only, so they work while the
 * client's host is down.
 */
@Injectable()
export class ClientDocuments {
  readonly #logger = new Logger(ClientDocuments.name);
  /** Single flight by site and URL, until the document is stored. */
  readonly #updates = new SingleFlight<DocumentRefusal | undefined>();
  /** Single flight by URL: all sites share one fetch. */
  readonly #fetches = new SingleFlight<FetchResult>();
  /** URLs whose stored document stands in, so that not every person waits for a host that is down. */
  readonly #outages = new LRUCache<string, true>(OUTAGES);

  constructor(
    private readonly clients: DocumentClients,
    private readonly fetcher: DocumentFetcher,
    private readonly limits: RateLimiter,
    private readonly outbox: Outbox,
  ) {}

  /** Undefined when the authorization may continue: with a stored document, or because the client_id is not a URL. */
  async admit(site: SiteRecord, clientId: string, ip: string): Promise<DocumentRefusal | undefined> {
    if (!looksLikeUrl(clientId)) return undefined;
    const known = await this.clients.known(clientId, site.site_id);
    // A client that the site created with this id takes precedence over the document.
    if (known !== undefined && known.source !== 'document' && !known.deleted) return undefined;
    const url = clientIdUrl(clientId);
    if (url === undefined) return refused('client_id is not an address that a client metadata document can have');
    if (!permitsHost(site.settings, url.hostname)) return refused(`This site takes no clients from ${url.hostname}`);
    if (known?.deleted === true || known?.review === 'blocked') return refused('This site has blocked the client');
    if (known?.fresh === true) return undefined;
    return this.#updates.run(`${site.site_id} ${clientId}`, () => this.#update(site, url, ip));
  }

  async #update(site: SiteRecord, url: URL, ip: string): Promise<DocumentRefusal | undefined> {
    // Another request may have stored it in the meantime.
    const known = await this.clients.known(url.href, site.site_id);
    if (known?.fresh === true) return undefined;
    // An error of the host (4xx, an invalid document) ends a client at once; an outage does not.
    const mayBeStale = known !== undefined && known.overdue < STALE_SECONDS;
    if (mayBeStale && this.#outages.has(url.href)) return undefined;
    const etag = known?.etag ?? null;
    try {
      const result = await this.#fetches.run(`${url.href} ${etag ?? ''}`, () => this.#request(url, etag, ip));
      if (result.kind === 'refused') return result.refusal;
      if (result.kind === 'unreachable') {
        if (!mayBeStale) return NOT_FETCHED;
        this.#outages.set(url.href, true);
        return undefined;
      }
      await this.#keep(site, url, known, result);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error;
      if (mayBeStale) return undefined;
      const error_description = 'Too many documents were requested. Try again in a moment';
      return { error: 'temporarily_unavailable', error_description, retryAfter: error.retryAfter ?? 1 };
    }
  }

  async #request(url: URL, etag: string | null, ip: string): Promise<FetchResult> {
    await this.limits.take(LIMITS.documents_by_source, sourceOf(ip));
    await this.limits.take(LIMITS.documents_by_host, url.hostname);
    const fetched = await this.fetcher.fetch(url, etag);
    if (fetched.kind === 'unreachable') this.#logger.warn(`failed to fetch ${url.href}: ${fetched.reason}`);
    if (fetched.kind === 'invalid') return { kind: 'refused', refusal: refused(fetched.error) };
    if (fetched.kind !== 'found') return fetched;
    const document = readDocument(url, fetched.text);
    if ('error' in document) {
      return { kind: 'refused', refusal: { error: 'invalid_client_metadata', error_description: document.error } };
    }
    return { kind: 'document', ...document, etag: fetched.etag, freshSeconds: fetched.freshSeconds };
  }

  async #keep(
    site: SiteRecord,
    url: URL,
    known: KnownClient | undefined,
    result: Extract<FetchResult, { kind: 'document' | 'unchanged' }>,
  ): Promise<void> {
    if (result.kind === 'unchanged') {
      // Only a request with an ETag can get 304.
      if (known !== undefined) await this.clients.extend(known.client_key, result.freshSeconds);
      return;
    }
    try {
      await this.outbox.transaction((manager) =>
        this.clients.save(manager, site.site_id, { ...result, client_id: url.href }),
      );
    } catch (error) {
      // Another request stored the first document at the same moment.
      if (!(error instanceof ApiError) || error.code !== 'already_exists') throw error;
    }
  }
}
