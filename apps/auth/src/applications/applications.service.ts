import { Injectable } from '@nestjs/common';
import { Outbox } from '@lyceum/messaging';
import { AuditService } from '#src/audit/audit.service.js';
import { ConsentService } from '#src/consents/consent.service.js';
import { GrantsService } from '#src/grants/grants.service.js';
import { ApplicationsRepository } from './applications.repository.js';
import type { ConnectedApplication } from './connected-application.js';

const SHOWN = 200;

/** The applications that a person has approved at a site. */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly applications: ApplicationsRepository,
    private readonly grants: GrantsService,
    private readonly consents: ConsentService,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
  ) {}

  connected(personId: string, siteId: string): Promise<ConnectedApplication[]> {
    return this.applications.connected(personId, siteId, SHOWN);
  }

  /** Revokes its tokens and its approval. False when the person has no such application at the site. */
  async disconnect(person_id: string, site_id: string, clientKey: string): Promise<boolean> {
    const found = (await this.connected(person_id, site_id)).find(({ client_key }) => client_key === clientKey);
    if (found === undefined) return false;
    const { client_key, client_id } = found;
    await this.outbox.transaction(async (manager) => {
      await this.consents.withdraw(manager, { person_id, site_id, client_key });
      await this.grants.revokeOfApplication(manager, { person_id, site_id, client_key });
      await this.audit.record({ event: 'consent.withdrawn', site_id, person_id, client_id }, manager);
    });
    return true;
  }
}
