import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { MailsService } from '#src/mails/mails.service.js';
import { PeopleService } from '#src/people/people.service.js';
import type { Person } from '#src/people/person.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { invitationLink } from '#src/protocol/paths.js';
import { randomToken } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { Invitation } from './invitation.js';
import { InvitationsRepository } from './invitations.repository.js';

/** Sends links by which a person sets a password: single-use, short-lived, stored as digests. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly people: PeopleService,
    private readonly mails: MailsService,
    private readonly audit: AuditService,
  ) {}

  /** Welcomes the person to the site, with a link when no password is set. Returns the link. */
  async welcome(manager: EntityManager, site: SiteRecord, { person_id }: Person): Promise<string | undefined> {
    const { site_id } = site;
    const token = (await this.people.hasPassword(manager, person_id)) ? undefined : randomToken();
    if (token !== undefined) {
      const invitation = { token, person_id, site_id, purpose: 'invitation', lifetime: LIFETIMES.invitation } as const;
      await this.invitations.insert(manager, invitation);
    }
    await this.mails.add(manager, { kind: 'welcome', site_id, person_id, token });
    return token && invitationLink(site.base_url, token);
  }

  /** The person who may reset the password at the site; undefined when no active member has the address. */
  async resettable(site: SiteRecord, email: string): Promise<Person | undefined> {
    const person = await this.people.byEmail(email);
    if (person?.state !== 'active') return undefined;
    const known = await this.people.atSite(person.person_id, site.site_id);
    return known === undefined || known.roles.length === 0 ? undefined : person;
  }

  /** Mails a password-reset link, and returns it. Its lifetime begins with the request of the person. */
  async reset(
    manager: EntityManager,
    site: SiteRecord,
    { person_id }: Person,
    request?: { readonly requested_at: Date; readonly language: string | null },
  ): Promise<string> {
    const { site_id } = site;
    const token = randomToken();
    await this.people.hold(manager, person_id);
    await this.audit.record({ event: 'password.reset_requested', site_id, person_id }, manager);
    const invitation = {
      token,
      person_id,
      site_id,
      purpose: 'password_reset',
      lifetime: LIFETIMES.passwordReset,
    } as const;
    await this.invitations.insert(manager, { ...invitation, requestedAt: request?.requested_at });
    const language = request?.language ?? null;
    await this.mails.add(manager, { kind: 'password_reset', site_id, person_id, token, language });
    return invitationLink(site.base_url, token);
  }

  find(site: SiteRecord, token: string): Promise<Invitation | undefined> {
    return this.invitations.open(site.site_id, token);
  }

  /** False when the link is no longer open. The caller has locked the person. */
  use(manager: EntityManager, site: SiteRecord, token: string): Promise<boolean> {
    return this.invitations.use(manager, site.site_id, token);
  }
}
