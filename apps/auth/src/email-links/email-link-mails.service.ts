import { Injectable } from '@nestjs/common';
import { isMember } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { InvitationsService } from '#src/invitations/invitations.service.js';
import { MailsService } from '#src/mails/mails.service.js';
import { PeopleService } from '#src/people/people.service.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { randomToken } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { AccountOfAddress } from './email-link.js';
import type { EmailLinkRequest } from './email-link-requests.queue.js';
import { EmailLinksRepository } from './email-links.repository.js';
import { offers } from './offered.policy.js';

/** Decides which mail follows a request. Only the owner of the address learns whether an account exists. */
@Injectable()
export class EmailLinkMails {
  constructor(
    private readonly links: EmailLinksRepository,
    private readonly people: PeopleService,
    private readonly invitations: InvitationsService,
    private readonly mails: MailsService,
    private readonly audit: AuditService,
  ) {}

  /** Queues one mail, or none. */
  async answer(manager: EntityManager, site: SiteRecord, request: EmailLinkRequest): Promise<void> {
    if (!offers(site, request.purpose)) return;
    const account = await this.links.account(site.site_id, request.address, manager);
    if (request.purpose === 'sign_up') await this.#signUp(manager, site, request, account);
    else await this.#signIn(manager, site, request, account);
  }

  async #signUp(
    manager: EntityManager,
    site: SiteRecord,
    request: EmailLinkRequest,
    account: AccountOfAddress | undefined,
  ): Promise<void> {
    const { site_id } = site;
    const { language } = request;
    if (account !== undefined && account.state !== 'active') return;
    const { member_state = null, has_password, person_id } = account ?? {};
    if (person_id === undefined || member_state === null || member_state === 'removed') {
      const token = await this.#link(manager, request, LIFETIMES.signUpLink);
      return this.mails.add(manager, { kind: 'sign_up', site_id, address: request.address, token, language });
    }
    const person = await this.people.hold(manager, person_id);
    if (person === undefined) return;
    // Without a password the person has not followed the invitation yet.
    if (has_password !== true && isMember(member_state)) await this.invitations.welcome(manager, site, person);
    else await this.mails.add(manager, { kind: 'sign_up_known', site_id, person_id, language });
  }

  async #signIn(
    manager: EntityManager,
    { site_id }: SiteRecord,
    request: EmailLinkRequest,
    account: AccountOfAddress | undefined,
  ): Promise<void> {
    const { person_id, state, member_state } = account ?? {};
    if (person_id === undefined || state !== 'active' || !member_state || !isMember(member_state)) return;
    const token = await this.#link(manager, request, LIFETIMES.signInLink);
    await this.audit.record({ event: 'sign_in_link.requested', site_id, person_id }, manager);
    const { language } = request;
    await this.mails.add(manager, { kind: 'sign_in_link', site_id, person_id, token, language });
  }

  async #link(
    manager: EntityManager,
    { site_id, purpose, address, browser_hash, requested_at }: EmailLinkRequest,
    lifetime: number,
  ): Promise<string> {
    const token = randomToken();
    const link = { token, site_id, purpose, address, browser_hash, lifetime, requestedAt: requested_at };
    await this.links.insert(manager, link);
    return token;
  }
}
