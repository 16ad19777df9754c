import { Injectable } from '@nestjs/common';
import { Outbox } from '@lyceum/messaging';
import type { FastifyRequest } from 'fastify';
import { MailsService } from '#src/mails/mails.service.js';
import type { Authenticated } from '#src/people/authenticated.js';
import type { PersonAtSite } from '#src/people/claims.policy.js';
import type { PasswordOwner } from '#src/people/password.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import { SignInService } from '#src/sign-ins/sign-in.service.js';
import type { PasswordOutcome } from '#src/sign-ins/sign-in.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { AccountContext } from './account-session.guard.js';

const ownerOf = (site: SiteRecord, { email }: PersonAtSite): PasswordOwner => ({ email, siteName: site.name });

/** Changes a password together with the mail that reports it. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly people: PeopleService,
    private readonly signIns: SignInService,
    private readonly mails: MailsService,
    private readonly outbox: Outbox,
  ) {}

  /** The error message for a new password; undefined when it is valid. */
  error(site: SiteRecord, person: PersonAtSite, password: string): Promise<string | undefined> {
    return this.people.passwordError(password, ownerOf(site, person));
  }

  /** A wrong current password counts as a failed sign-in. */
  change(
    request: FastifyRequest,
    { site, person }: AccountContext,
    current: string,
    password: string,
  ): Promise<PasswordOutcome> {
    return this.signIns.prove({ request, site }, person.email, () => this.#change(site, person, current, password));
  }

  /** Undefined when `current` is not the password. */
  async #change(
    site: SiteRecord,
    person: PersonAtSite,
    current: string,
    password: string,
  ): Promise<Authenticated | undefined> {
    const { person_id } = person;
    const proved = await this.people.provePassword(person_id, current);
    if (proved === undefined) return undefined;
    const next = await this.people.hashPassword(password, ownerOf(site, person));
    return this.outbox.transaction(async (manager) => {
      const changed = await this.people.changePassword(manager, person_id, { proved, next });
      if (changed === undefined) return undefined;
      await this.mails.add(manager, { kind: 'password_changed', site_id: site.site_id, person_id });
      return changed;
    });
  }
}
