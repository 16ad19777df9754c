import { Injectable } from '@nestjs/common';
import { isUuid } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { AuditService } from '#src/audit/audit.service.js';
import { ConsentService } from '#src/consents/consent.service.js';
import { GrantsService } from '#src/grants/grants.service.js';
import { ApplicationsRepository } from './applications.repository.js';
import type { ApplicationsPage, ConnectedApplication } from './connected-application.js';

/** Applications of one page of the account. */
export const APPLICATIONS_PAGE = 20;
/** An address may name any number. */
const LAST_PAGE = 1_000;

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

  /** A page of the applications. `number` is the text of an address; anything but a number is the first page. */
  async page(personId: string, siteId: string, number: unknown): Promise<ApplicationsPage> {
    const page = pageOf(number);
    const offset = (page - 1) * APPLICATIONS_PAGE;
    const found = await this.applications.connected(personId, siteId, APPLICATIONS_PAGE + 1, offset);
    return {
      applications: found.slice(0, APPLICATIONS_PAGE),
      number: page,
      more: found.length > APPLICATIONS_PAGE && page < LAST_PAGE,
    };
  }

  /** Undefined when the person has no such application at the site. */
  async find(personId: string, siteId: string, clientKey: string): Promise<ConnectedApplication | undefined> {
    return isUuid(clientKey) ? this.applications.one(personId, siteId, clientKey) : undefined;
  }

  /** Revokes its tokens and its approval. Undefined when the person has no such application at the site. */
  async disconnect(person_id: string, site_id: string, clientKey: string): Promise<ConnectedApplication | undefined> {
    const found = await this.find(person_id, site_id, clientKey);
    if (found === undefined) return undefined;
    const { client_key, client_id } = found;
    await this.outbox.transaction(async (manager) => {
      await this.consents.withdraw(manager, { person_id, site_id, client_key });
      await this.grants.revokeOfApplication(manager, { person_id, site_id, client_key });
      await this.audit.record({ event: 'consent.withdrawn', site_id, person_id, client_id }, manager);
    });
    return found;
  }
}

function pageOf(text: unknown): number {
  const number = typeof text === 'string' && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1;
  return Math.min(number, LAST_PAGE);
}
