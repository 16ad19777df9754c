import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import { clientEvents, isScope } from '@lyceum/contracts';
import type { Scope } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { textIn } from '@lyceum/messages';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import type { AuditEvent } from '#src/audit/audit-entry.js';
import { AuditService } from '#src/audit/audit.service.js';
import { GrantsService } from '#src/grants/grants.service.js';
import { scopesOfAudience } from '#src/scopes/grantable.policy.js';
import type { ClientAudience } from '#src/scopes/grantable.policy.js';
import { randomToken, sha256 } from '#src/secrets/digest.js';
import { NO_PREVIOUS_SECRET } from './client.js';
import type { ClientChange, ClientSource, OAuthClient } from './client.js';
import { endsGrants, isUnchanged } from './client-change.policy.js';
import { toEvent } from './client-event.js';
import { ClientsRepository } from './clients.repository.js';
import { clientOfPage } from './page-client.policy.js';
import type { PageClients, PagesOf } from './page-client.policy.js';
import { RecentUse } from './recent-use.js';
import { refusedRedirectUris, refusedUris } from './redirect-uri.policy.js';

export interface ClientDefinition {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly name: string;
  readonly audience: ClientAudience;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris?: readonly string[] | undefined;
  readonly compatibility_mode?: boolean | undefined;
  readonly scopes: readonly string[];
}

/** Changes of a client that the site created; absent fields stay. */
export type ClientRevision = Partial<Omit<ClientDefinition, 'client_id' | 'client_secret' | 'audience'>>;

/** Newest applications of a site, among which those of pages are searched for. */
const SEARCHED = 500;

const REVISED = [
  'name',
  'redirect_uris',
  'post_logout_redirect_uris',
  'compatibility_mode',
  'scopes',
] as const satisfies readonly (keyof ClientRevision)[];

/** Registrations are audited and published with the first use. */
const MADE_BY = {
  site: 'client.created',
  platform: 'client.created',
  document: 'client.fetched',
} as const satisfies Partial<Record<ClientSource, AuditEvent>>;

@Injectable()
export class ClientsService {
  readonly #logger = new Logger(ClientsService.name);
  readonly #recentUse = new RecentUse();

  constructor(
    private readonly clients: ClientsRepository,
    private readonly outbox: Outbox,
    private readonly grants: GrantsService,
    private readonly audit: AuditService,
  ) {}

  atSite(clientId: string, siteId: string): Promise<OAuthClient | undefined> {
    return this.clients.atSite(clientId, siteId);
  }

  /** The client of exactly that site, blocked or not, locked until the transaction ends. */
  lock(manager: EntityManager, clientId: string, siteId: string): Promise<OAuthClient | undefined> {
    return this.clients.lock(manager, clientId, siteId);
  }

  /**
   * Records once an hour that a client is in use, so that the sweep keeps it. No response waits for the record, because
   * the tokens are stored already. A failure is logged, and the next tokens try again.
   */
  touch(clientKey: string): void {
    if (this.#recentUse.isNoted(clientKey)) return;
    this.#recentUse.note(clientKey);
    this.#recordUse(clientKey).catch((error: unknown) => {
      this.#recentUse.forget(clientKey);
      this.#logger.warn(`failed to record the use of the client ${clientKey}: ${String(error)}`);
    });
  }

  /**
   * Creates a client of a site, or of the deployment (`siteId` null). The caller provides the secret, if any. `actor`:
   * the person who creates it, null for a program.
   */
  async create(
    manager: EntityManager,
    siteId: string | null,
    source: ClientSource,
    definition: ClientDefinition,
    actor: string | null = null,
  ): Promise<OAuthClient> {
    const client = await this.clients.insert(manager, {
      ...this.#checked(definition, source),
      client_id: definition.client_id ?? randomToken(),
      site_id: siteId,
      source,
      review: source === 'document' ? 'unreviewed' : null,
    });
    if (client === undefined) throw new ApiError('already_exists', 'The client_id is taken');
    if (source === 'loopback') return client;
    const { client_id, audience } = client;
    await this.#emit(manager, 'created', client);
    const details = { source, audience };
    const entry = { event: MADE_BY[source], site_id: siteId, person_id: actor, client_id, details };
    await this.audit.record(entry, manager);
    return client;
  }

  /** Creates or updates the client of that id at the site (null: of a platform). Idempotent. */
  async apply(siteId: string | null, definition: ClientDefinition & { client_id: string }): Promise<OAuthClient> {
    return this.outbox.transaction(async (manager) => {
      const existing = await this.clients.lock(manager, definition.client_id, siteId);
      const source = siteId === null ? 'platform' : 'site';
      if (existing === undefined) return this.create(manager, siteId, source, definition);
      const checked = this.#checked(definition, source);
      if (existing.audience !== checked.audience) {
        throw new ApiError('invalid_state', `The audience of ${definition.client_id} cannot be changed`);
      }
      return this.update(manager, existing, { ...checked, ...NO_PREVIOUS_SECRET, review: existing.review });
    });
  }

  /** Ends the tokens when the client loses a scope or changes its secret. Does nothing without a change. */
  async update(manager: EntityManager, client: OAuthClient, change: ClientChange): Promise<OAuthClient> {
    if (isUnchanged(client, change)) return client;
    const updated = await this.clients.update(manager, client.client_key, change);
    await this.#emit(manager, 'updated', updated);
    if (change.review === 'blocked') await this.grants.revokeOfClient(manager, updated, 'client_blocked');
    else if (endsGrants(client, change)) await this.grants.revokeOfClient(manager, updated, 'client_changed');
    return updated;
  }

  /** Changes a client that the site created. */
  async revise(
    manager: EntityManager,
    clientId: string,
    siteId: string,
    revise: (current: OAuthClient) => ClientRevision,
    actor: string | null = null,
  ): Promise<OAuthClient> {
    const client = await this.clients.lock(manager, clientId, siteId);
    if (client?.source !== 'site') throw new ApiError('not_found', 'This site has no client with this client_id');
    const { secret_hash: _none, ...checked } = this.#checked({ ...client, ...revise(client) }, client.source);
    const updated = await this.update(manager, client, { ...client, ...checked });
    if (updated === client) return client;
    const changed = REVISED.filter((field) => !isDeepStrictEqual(client[field], updated[field]));
    const details = { changed };
    const entry = { site_id: siteId, person_id: actor, client_id: clientId, details };
    await this.audit.record({ event: 'client.changed', ...entry }, manager);
    return updated;
  }

  /** A client that the site created. */
  async ownOfSite(clientId: string, siteId: string): Promise<OAuthClient | undefined> {
    const client = await this.clients.atSite(clientId, siteId);
    return client?.source === 'site' ? client : undefined;
  }

  /** Newest first, after the client `after`. */
  madeAtSite(siteId: string, limit: number, after: string | null = null): Promise<OAuthClient[]> {
    return this.clients.madeAtSite(siteId, limit, after);
  }

  /** The applications with which the pages for developers of a site sign in. */
  async ofPages(site: PagesOf & { readonly site_id: string }): Promise<PageClients> {
    return (await this.newestAtSite(site)).ofPages;
  }

  /** The newest clients that the site created, and those of its pages for developers, by one statement. */
  async newestAtSite(
    site: PagesOf & { readonly site_id: string },
  ): Promise<{ readonly clients: OAuthClient[]; readonly ofPages: PageClients }> {
    const clients = await this.clients.madeAtSite(site.site_id, SEARCHED, null);
    const ofPages = {
      reference: clientOfPage(clients, 'reference', site),
      explorer: clientOfPage(clients, 'explorer', site),
    };
    return { clients, ofPages };
  }

  /** Deletes unused registered clients, at most `limit`; returns their number. */
  sweepIdle(limit: number): Promise<number> {
    return this.outbox.transaction(async (manager) => {
      const gone = await this.clients.deleteIdleRegistrations(manager, limit);
      const published = gone.filter((client) => client.published);
      await this.#emitGone(manager, published);
      return gone.length;
    });
  }

  /** Deletes unused documents, at most `limit`; returns their number. */
  sweepDocuments(limit: number): Promise<number> {
    return this.outbox.transaction(async (manager) => {
      const gone = await this.clients.deleteIdleDocuments(manager, limit);
      await this.#emitGone(manager, gone);
      return gone.length;
    });
  }

  /** Ends its tokens. The id is never assigned again. */
  delete(clientId: string, siteId: string | null): Promise<void> {
    return this.outbox.transaction((manager) => this.remove(manager, clientId, siteId));
  }

  async remove(
    manager: EntityManager,
    clientId: string,
    siteId: string | null,
    actor: string | null = null,
  ): Promise<void> {
    const client = await this.clients.lock(manager, clientId, siteId);
    if (client === undefined) throw new ApiError('not_found', 'The client does not exist');
    await this.#emit(manager, 'deleted', await this.clients.markDeleted(manager, client.client_key));
    await this.grants.revokeOfClient(manager, client);
    const entry = { site_id: siteId, person_id: actor, client_id: clientId };
    await this.audit.record({ event: 'client.deleted', ...entry }, manager);
  }

  /** Includes deleted clients, whose ids are never assigned again. */
  republication(): Republication<typeof clientEvents> {
    return {
      events: clientEvents,
      batch: async (manager, [after], limit) => {
        const found = await this.clients.share(manager, after, limit);
        return found.map(({ deleted, ...client }) => ({
          key: [client.client_key],
          event: toEvent(client, deleted ? 'deleted' : 'active'),
        }));
      },
    };
  }

  #recordUse(clientKey: string): Promise<void> {
    return this.outbox.transaction(async (manager) => {
      const first = await this.clients.touch(manager, clientKey);
      if (first !== undefined) await this.#emit(manager, 'created', first);
    });
  }

  /** The row is gone, so its deletion is published as the next version. */
  async #emitGone(manager: EntityManager, gone: readonly OAuthClient[]): Promise<void> {
    for (const client of gone) await this.#emit(manager, 'deleted', { ...client, version: client.version + 1 });
  }

  #emit(manager: EntityManager, name: 'created' | 'updated' | 'deleted', client: OAuthClient): Promise<void> {
    return this.outbox.add(manager, clientEvents, name, toEvent(client, name === 'deleted' ? 'deleted' : 'active'));
  }

  #checked(
    definition: ClientDefinition,
    source: ClientSource,
  ): Omit<ClientChange, 'review' | keyof typeof NO_PREVIOUS_SECRET> & Pick<OAuthClient, 'audience'> {
    const { name, audience, redirect_uris, client_secret, compatibility_mode = false } = definition;
    const { post_logout_redirect_uris = [] } = definition;
    const options = { anyScheme: source === 'platform' };
    // Programs and commands read errors in English.
    const faults = [
      ...refusedRedirectUris(redirect_uris, options),
      ...refusedUris(post_logout_redirect_uris, options),
    ].map(({ uri, fault }) => textIn('en', `redirect_uri.${fault}`, { uri }));
    if (redirect_uris.length === 0) faults.push('A client needs at least one redirect URI');
    if (faults.length > 0) throw new ApiError('validation_failed', faults.join('. '));
    return {
      name,
      audience,
      redirect_uris,
      post_logout_redirect_uris,
      compatibility_mode,
      scopes: checkedScopes(audience, definition.scopes),
      secret_hash: client_secret === undefined ? null : sha256(client_secret),
    };
  }
}

function checkedScopes(audience: ClientAudience, scopes: readonly string[]): readonly Scope[] {
  const allowed = scopesOfAudience(audience);
  const held = scopes.filter(isScope);
  const foreign = scopes.find((scope) => !isScope(scope) || !allowed.includes(scope));
  if (foreign !== undefined)
    throw new ApiError('validation_failed', `${foreign} is not a scope of a ${audience} client`);
  if (held.length === 0) throw new ApiError('validation_failed', 'A client needs at least one scope');
  if (held.includes('account:write') && !held.includes('account:read'))
    throw new ApiError('validation_failed', 'A client with account:write needs account:read');
  return allowed.filter((scope) => held.includes(scope));
}
