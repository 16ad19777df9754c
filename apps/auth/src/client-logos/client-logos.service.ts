import { Injectable } from '@nestjs/common';
import { isUuid } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import type { OAuthClient } from '#src/clients/client.js';
import type { StoredImage } from '#src/images/image.policy.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { ClientLogosRepository } from './client-logos.repository.js';

/** Logos of clients that a site has approved, as they were at the approval. */
@Injectable()
export class ClientLogos {
  constructor(private readonly logos: ClientLogosRepository) {}

  /** The path of the logo; undefined for a client without one. */
  async pathOf(siteId: string, { client_key, source, review }: OAuthClient): Promise<string | undefined> {
    if (source !== 'document' || review !== 'approved') return undefined;
    return (await this.logos.exists(siteId, client_key)) ? `${ENDPOINTS.logos}/${client_key}` : undefined;
  }

  async read(siteId: string, clientKey: string): Promise<StoredImage | undefined> {
    return isUuid(clientKey) ? this.logos.read(siteId, clientKey) : undefined;
  }

  /** Queues the fetch of the logo of an approved client. Any other client loses its logo. */
  follow(manager: EntityManager, siteId: string, { client_key, review }: OAuthClient): Promise<void> {
    return review === 'approved'
      ? this.logos.request(manager, siteId, client_key)
      : this.logos.remove(manager, siteId, client_key);
  }
}
