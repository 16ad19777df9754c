import { Injectable } from '@nestjs/common';
import { Outbox } from '@lyceum/messaging';
import { QueryFailedError } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { MailsService } from '#src/mails/mails.service.js';
import { MembersService } from '#src/members/members.service.js';
import type { PersonAtSite } from '#src/people/claims.policy.js';
import { randomToken } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { LinkedEmailChange, OpenEmailChange } from './email-change.js';
import { EmailChangesRepository } from './email-changes.repository.js';

/** PostgreSQL: unique_violation. */
const UNIQUE_VIOLATION = '23505';

/**
 * Changes the address of a person when the owners of the present and of the new address have agreed, in any order. The
 * requesting person never learns whether the new address belongs to somebody: only its owner does, by the link.
 */
@Injectable()
export class EmailChangesService {
  constructor(
    private readonly changes: EmailChangesRepository,
    private readonly members: MembersService,
    private readonly mails: MailsService,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
  ) {}

  /** The change that waits for an address. */
  open({ site_id }: SiteRecord, { person_id }: PersonAtSite): Promise<OpenEmailChange | undefined> {
    return this.changes.open(person_id, site_id);
  }

  /** Mails a link to both addresses. Replaces an earlier request, except the same one from the seconds before. */
  async request({ site_id }: SiteRecord, { person_id }: PersonAtSite, new_email: string): Promise<void> {
    const [approval, confirmation] = [randomToken(), randomToken()];
    await this.outbox.transaction(async (manager) => {
      const saved = await this.changes.save(manager, { person_id, site_id, new_email, approval, confirmation });
      if (!saved) return;
      await this.audit.record({ event: 'email.change_requested', site_id, person_id }, manager);
      const mail = { site_id, person_id };
      await this.mails.add(manager, { ...mail, kind: 'email_change_approval', token: approval });
      await this.mails.add(manager, {
        ...mail,
        kind: 'email_change_confirmation',
        address: new_email,
        token: confirmation,
      });
    });
  }

  /** Does nothing without an open change. */
  cancel(site: SiteRecord, { person_id }: PersonAtSite): Promise<void> {
    return this.outbox.transaction((manager) => this.#refuse(manager, site, person_id));
  }

  /** The change of a link; undefined when the link is void. */
  find({ site_id }: SiteRecord, token: string): Promise<LinkedEmailChange | undefined> {
    return this.changes.find(site_id, token);
  }

  /**
   * Records the decision of one side, and changes the address after the second one. A repetition changes nothing. Only
   * the present address can refuse.
   */
  async decide(site: SiteRecord, token: string, agrees: boolean): Promise<void> {
    const decide = (): Promise<void> =>
      this.outbox.transaction((manager) => this.#decide(manager, site, token, agrees));
    try {
      await decide();
    } catch (error) {
      // Another person got the address in this moment. The repetition finds that person.
      if (!isUniqueViolation(error)) throw error;
      await decide();
    }
  }

  async #decide(manager: EntityManager, site: SiteRecord, token: string, agrees: boolean): Promise<void> {
    const change = await this.changes.lock(manager, site.site_id, token);
    if (change === undefined || change.outcome !== null) return;
    const { person_id, side, approved, confirmed, taken } = change;
    if (!agrees) {
      if (side === 'approval') await this.#refuse(manager, site, person_id);
      return;
    }
    // The owner of a taken address reads that it is taken. The other side waits until the change expires.
    if (side === 'confirmation' && taken) return;
    await this.changes.agree(manager, person_id, side);
    const isComplete = side === 'approval' ? confirmed : approved;
    if (isComplete) await this.#complete(manager, site, change);
  }

  async #complete(manager: EntityManager, { site_id }: SiteRecord, change: LinkedEmailChange): Promise<void> {
    const { person_id, email, new_email, taken } = change;
    await this.changes.end(manager, person_id, site_id, taken ? 'taken' : 'changed');
    if (taken) return;
    await this.members.changeEmail(manager, person_id, new_email);
    const mail = { kind: 'email_changed', site_id, person_id } as const;
    await this.mails.add(manager, { ...mail, address: email });
    await this.mails.add(manager, { ...mail, address: new_email });
  }

  async #refuse(manager: EntityManager, { site_id }: SiteRecord, person_id: string): Promise<void> {
    if (!(await this.changes.end(manager, person_id, site_id, 'refused'))) return;
    await this.audit.record({ event: 'email.change_refused', site_id, person_id }, manager);
  }
}

function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { code } = error.driverError as Error & { readonly code?: unknown };
  return code === UNIQUE_VIOLATION;
}
