import { Injectable } from '@nestjs/common';
import { Mailer, greeting } from '@lyceum/mail';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { PeopleService } from '#src/people/people.service.js';
import type { Person } from '#src/people/person.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { INVITATION_PATH } from '#src/protocol/paths.js';
import { randomToken } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { Invitation, InvitationPurpose } from './invitation.js';
import { InvitationsRepository } from './invitations.repository.js';

const DAY = 86_400;
const MINUTE = 60;

/** Sends links by which a person sets a password: single-use, short-lived, stored as digests. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly people: PeopleService,
    private readonly mailer: Mailer,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
  ) {}

  /** Welcomes the person to the site, with a link when no password is set. Returns the link. */
  async welcome(manager: EntityManager, site: SiteRecord, person: Person): Promise<string | undefined> {
    const link = (await this.people.hasPassword(manager, person.person_id))
      ? undefined
      : await this.#link(manager, site, person.person_id, 'invitation');
    await this.mailer.send({
      to: person.email,
      fromName: site.name,
      subject: `Welcome to ${site.name}`,
      text: [
        greeting(person.name),
        '',
        `you now have access to ${site.name}: ${site.base_url}`,
        ...(link === undefined ? [] : ['', `Set your password within ${LIFETIMES.invitation / DAY} days: ${link}`]),
      ].join('\r\n'),
    });
    return link;
  }

  /** Mails a password-reset link to a member of the site. Undefined when no member has the address. */
  async reset(site: SiteRecord, email: string): Promise<string | undefined> {
    const person = await this.people.byEmail(email);
    if (person?.state !== 'active') return undefined;
    const known = await this.people.atSite(person.person_id, site.site_id);
    if (known === undefined || known.roles.length === 0) return undefined;
    const { person_id } = person;
    const link = await this.outbox.transaction(async (manager) => {
      await this.people.hold(manager, person_id);
      await this.audit.record({ event: 'password.reset_requested', site_id: site.site_id, person_id }, manager);
      return this.#link(manager, site, person_id, 'password_reset');
    });
    // After the commit: a person who follows the link at once must find it.
    await this.mailer.send({
      to: person.email,
      fromName: site.name,
      subject: `Your password at ${site.name}`,
      text: [
        greeting(person.name),
        '',
        `somebody asked for another password for you at ${site.name}. If that was not you, nothing needs to be done.`,
        '',
        `Reset your password within ${LIFETIMES.passwordReset / MINUTE} minutes: ${link}`,
        'It signs you out of all browsers and applications, and removes the passkeys that you do not keep.',
      ].join('\r\n'),
    });
    return link;
  }

  find(site: SiteRecord, token: string): Promise<Invitation | undefined> {
    return this.invitations.open(site.site_id, token);
  }

  /** False when the link is no longer open. The caller has locked the person. */
  use(manager: EntityManager, site: SiteRecord, token: string): Promise<boolean> {
    return this.invitations.use(manager, site.site_id, token);
  }

  async #link(
    manager: EntityManager,
    { site_id, base_url }: SiteRecord,
    person_id: string,
    purpose: InvitationPurpose,
  ): Promise<string> {
    const token = randomToken();
    const lifetime = purpose === 'invitation' ? LIFETIMES.invitation : LIFETIMES.passwordReset;
    await this.invitations.insert(manager, { token, person_id, site_id, lifetime, purpose });
    return `${base_url}${INVITATION_PATH}?token=${token}`;
  }
}
