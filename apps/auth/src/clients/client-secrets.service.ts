import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { randomToken, sha256 } from '#src/secrets/digest.js';
import { NO_PREVIOUS_SECRET } from './client.js';
import type { OAuthClient } from './client.js';
import { ClientsService } from './clients.service.js';

export interface SecretRotation {
  readonly client_id: string;
  readonly site_id: string;
  readonly secret: string;
  /** Seconds for which the old secret stays valid. With 0 it ends at once, and all grants of the client with it. */
  readonly overlap: number;
  /** The person who rotates it; null for a program. */
  readonly actor: string | null;
}

/** Secrets of the confidential clients that a site created (ADR 114). */
@Injectable()
export class ClientSecrets {
  constructor(
    private readonly clients: ClientsService,
    private readonly audit: AuditService,
    private readonly outbox: Outbox,
  ) {}

  /** Rotates in a transaction of its own. Returns the new secret, of which only the digest is stored. */
  async renew(rotation: Omit<SecretRotation, 'secret'>): Promise<string> {
    const secret = randomToken();
    await this.outbox.transaction((manager) => this.rotate(manager, { ...rotation, secret }));
    return secret;
  }

  /** A client has at most two valid secrets: a rotation during another one ends the oldest. */
  async rotate(manager: EntityManager, rotation: SecretRotation): Promise<void> {
    const { client_id, site_id, secret, overlap, actor } = rotation;
    const client = await this.#confidential(manager, client_id, site_id);
    const previous =
      overlap === 0
        ? NO_PREVIOUS_SECRET
        : {
            previous_secret_hash: client.secret_hash,
            previous_secret_until: new Date(Date.now() + overlap * 1000),
          };
    await this.clients.update(manager, client, { ...client, ...previous, secret_hash: sha256(secret) });
    const details = { secret: 'renewed', overlap };
    await this.audit.record({ event: 'client.changed', site_id, person_id: actor, client_id, details }, manager);
  }

  /** Ends the old secret of a rotation. Grants stay. Does nothing when only one secret is valid. */
  async endPrevious(
    manager: EntityManager,
    { client_id, site_id, actor }: Pick<SecretRotation, 'client_id' | 'site_id' | 'actor'>,
  ): Promise<void> {
    const client = await this.#confidential(manager, client_id, site_id);
    if (client.previous_secret_hash === null) return;
    await this.clients.update(manager, client, { ...client, ...NO_PREVIOUS_SECRET });
    const details = { secret: 'previous_ended' };
    await this.audit.record({ event: 'client.changed', site_id, person_id: actor, client_id, details }, manager);
  }

  async #confidential(manager: EntityManager, clientId: string, siteId: string): Promise<OAuthClient> {
    const client = await this.clients.lock(manager, clientId, siteId);
    if (client?.source !== 'site' || client.secret_hash === null) {
      throw new ApiError('not_found', 'The confidential client does not exist');
    }
    return client;
  }
}
