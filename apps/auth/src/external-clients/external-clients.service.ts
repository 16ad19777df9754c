import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import { AuditService } from '#src/audit/audit.service.js';
import { DocumentClients } from '#src/client-documents/document-clients.service.js';
import type { OAuthClient, Review } from '#src/clients/client.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { permitsReview, requireShown } from './external-client.js';
import type { ExternalClient, ExternalClientFilter } from './external-client.js';
import { ExternalClientsRepository } from './external-clients.repository.js';

const PAGE = 50;
/** The count of clients that wait for a review ends here. */
export const MOST_COUNTED = 99;

/** A review that a person sends from the page of a client. */
export interface SentReview {
  readonly review: Review;
  readonly actor: string;
  /** The digests of the values that the page showed. An approval needs them. */
  readonly base: string | undefined;
}

export interface ExternalClientPage {
  readonly clients: readonly ExternalClient[];
  readonly more: boolean;
  readonly waiting: number;
}

/** The clients of a site that it did not create, and their review. */
@Injectable()
export class ExternalClients {
  constructor(
    private readonly repository: ExternalClientsRepository,
    private readonly clients: ClientsService,
    private readonly documents: DocumentClients,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
  ) {}

  async page(siteId: string, filter: ExternalClientFilter, after: string | null): Promise<ExternalClientPage> {
    const part = { after, limit: PAGE + 1, counted: MOST_COUNTED + 1 };
    const { clients, waiting } = await this.repository.list(siteId, filter, part);
    return { clients: clients.slice(0, PAGE), more: clients.length > PAGE, waiting };
  }

  /** @throws `not_found` for a client of another site, and for one that the site created */
  async find(siteId: string, clientKey: string): Promise<ExternalClient> {
    const client = await this.repository.one(siteId, clientKey);
    if (client === undefined) throw new ApiError('not_found', 'The client does not exist');
    return client;
  }

  /**
   * Blocking, and withdrawing an approval, end all access of the client.
   *
   * @throws `precondition_failed` if the client changed after its page was shown
   */
  async review(siteId: string, clientKey: string, { review, actor, base }: SentReview): Promise<ExternalClient> {
    const client = await this.find(siteId, clientKey);
    if (!permitsReview(client.source, review))
      throw new ApiError('not_found', 'A registered client cannot be approved');
    const check =
      review === 'approved' ? (current: ExternalClient | OAuthClient) => requireShown(base, current) : undefined;
    check?.(client);
    if (client.review === review) return client;
    if (client.source === 'document') {
      await this.outbox.transaction((manager) =>
        this.documents.review(manager, siteId, client.client_id, { review, actor, check }),
      );
    } else await this.#block(siteId, client.client_id, review === 'blocked', actor);
    return client;
  }

  async #block(siteId: string, client_id: string, isBlocked: boolean, actor: string): Promise<void> {
    await this.outbox.transaction(async (manager) => {
      const stored = await this.clients.lock(manager, client_id, siteId);
      if (stored === undefined) throw new ApiError('not_found', 'The client does not exist');
      const review = isBlocked ? 'blocked' : null;
      if (stored.review === review) return;
      await this.clients.update(manager, stored, { ...stored, review });
      const details = { from: stored.review ?? 'unreviewed', to: review ?? 'unreviewed' };
      await this.audit.record(
        { event: 'client.reviewed', site_id: siteId, person_id: actor, client_id, details },
        manager,
      );
    });
  }
}
