import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { ClientLogos } from '#src/client-logos/client-logos.service.js';
import type { OAuthClient, Review } from '#src/clients/client.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { ConsentService } from '#src/consents/consent.service.js';
import { isAnother } from './document.policy.js';
import type { ClientDocument } from './document.policy.js';
import { DocumentsRepository } from './documents.repository.js';
import type { KnownClient } from './documents.repository.js';
import type { ListedDocument } from './listed-document.js';
import { scopesOfReview } from './review.policy.js';

export interface DocumentReview {
  readonly review: Review;
  /** The person who reviews; null for a command. */
  readonly actor: string | null;
  /** Called with the client under its lock. It throws to refuse the review. */
  readonly check?: ((client: OAuthClient) => void) | undefined;
}

export interface FetchedDocument extends ClientDocument {
  readonly client_id: string;
  readonly etag: string | null;
  readonly freshSeconds: number;
}

/** The clients by document that a site stores. */
@Injectable()
export class DocumentClients {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly clients: ClientsService,
    private readonly consents: ConsentService,
    private readonly logos: ClientLogos,
    private readonly audit: AuditService,
  ) {}

  known(clientId: string, siteId: string): Promise<KnownClient | undefined> {
    return this.documents.known(clientId, siteId);
  }

  list(siteId: string, limit: number): Promise<ListedDocument[]> {
    return this.documents.list(siteId, limit);
  }

  extend(clientKey: string, freshSeconds: number): Promise<void> {
    return this.documents.extend(clientKey, freshSeconds);
  }

  /**
   * Another name or redirect URI makes it another client: the site reviews it again, and each person is asked again.
   */
  async save(manager: EntityManager, siteId: string, document: FetchedDocument): Promise<void> {
    const { client_id, name, redirect_uris, post_logout_redirect_uris } = document;
    const stored = await this.clients.lock(manager, client_id, siteId);
    const scopes = scopesOfReview('unreviewed');
    const uris = { redirect_uris, post_logout_redirect_uris };
    const definition = { client_id, name, ...uris, audience: 'operator', scopes } as const;
    const client = stored ?? (await this.clients.create(manager, siteId, 'document', definition));
    await this.documents.save(manager, client.client_key, document);
    // The site blocked it at the same moment: it stays blocked under its new name.
    if (stored === undefined || stored.review === 'blocked') return;
    if (isAnother(stored, document)) await this.#change(manager, siteId, stored, document);
    else await this.clients.update(manager, stored, { ...stored, post_logout_redirect_uris });
  }

  /** The review of the site. Blocking and withdrawing an approval end all tokens of the client. */
  async review(
    manager: EntityManager,
    siteId: string,
    clientId: string,
    { review, actor, check }: DocumentReview,
  ): Promise<OAuthClient> {
    const client = await this.clients.lock(manager, clientId, siteId);
    if (client?.source !== 'document')
      throw new ApiError('not_found', 'No client with a metadata document has this client_id');
    check?.(client);
    // A form that is sent twice. A command that repeats an approval fetches the logo again.
    if (client.review === review && actor !== null) return client;
    const reviewed = await this.clients.update(manager, client, { ...client, review, scopes: scopesOfReview(review) });
    const details = { from: client.review, to: review };
    const entry = { site_id: siteId, person_id: actor, client_id: clientId, details };
    await this.logos.follow(manager, siteId, reviewed);
    await this.audit.record({ event: 'client.reviewed', ...entry }, manager);
    return reviewed;
  }

  async #change(
    manager: EntityManager,
    siteId: string,
    stored: OAuthClient,
    { client_id, name, redirect_uris, post_logout_redirect_uris }: FetchedDocument,
  ): Promise<void> {
    const review = 'unreviewed';
    const scopes = scopesOfReview(review);
    const changed = await this.clients.update(manager, stored, {
      ...stored,
      name,
      redirect_uris,
      post_logout_redirect_uris,
      review,
      scopes,
    });
    await this.logos.follow(manager, siteId, changed);
    await this.consents.forgetClient(manager, stored.client_key);
    const details = {
      from: { name: stored.name, redirect_uris: stored.redirect_uris, review: stored.review },
      to: { name, redirect_uris, review },
    };
    await this.audit.record({ event: 'client.changed', site_id: siteId, client_id, details }, manager);
  }
}
