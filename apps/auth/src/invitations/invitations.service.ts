import { Injectable } from '@nestjs/common';
import { Mailer } from '@lyceum/mail';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { PeopleService } from '#src/people/people.service.js';
import type { Person } from '#src/people/person.js';
import type { SiteRecord } from '#src/sites/site.js';
import { randomToken } from '#src/tokens/digest.js';
import { LIFETIMES } from '#src/tokens/lifetimes.js';
import { InvitationsRepository } from './invitations.repository.js';
import type { Invitation } from './invitations.repository.js';

export const INVITATION_PATH = '/account/invitation';
const DAY = 86_400;

/** Links by which a person sets a password: single-use, short-lived, stored as digests. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly people: PeopleService,
    private readonly mailer: Mailer,
    private readonly outbox: Outbox,
  ) {}

  /** Welcomes the person to the site; with a link when there is no password yet. Answers with the link. */
  async welcome(manager: EntityManager, site: SiteRecord, person: Person): Promise<string | undefined> {
    const link = (await this.people.hasPassword(manager, person.person_id))
      ? undefined
      : await this.#link(manager, site, person.person_id);
    await this.mailer.send({
      to: person.email,
      fromName: site.name,
      subject: `Welcome to ${site.name}`,
      text: [
        `Hello ${person.name},`,
        '',
        `you now have access to ${site.name}: ${site.base_url}`,
        ...(link === undefined ? [] : ['', `Set your password within ${LIFETIMES.invitation / DAY} days: ${link}`]),
      ].join('\r\n'),
    });
    return link;
  }

  find(site: SiteRecord, token: string): Promise<Invitation | undefined> {
    return this.invitations.open(site.site_id, token);
  }

  /** False when the link was used before or is too old. */
  async accept(site: SiteRecord, token: string, password: string): Promise<boolean> {
    return this.outbox.transaction(async (manager) => {
      const personId = await this.invitations.use(manager, site.site_id, token);
      if (personId === undefined) return false;
      await this.people.setPassword(manager, personId, password);
      await this.people.confirmEmail(manager, personId);
      return true;
    });
  }

  async #link(manager: EntityManager, site: SiteRecord, personId: string): Promise<string> {
    const token = randomToken();
    const { site_id } = site;
    await this.invitations.insert(manager, { token, person_id: personId, site_id, lifetime: LIFETIMES.invitation });
    return `${site.base_url}${INVITATION_PATH}/${token}`;
  }
}
