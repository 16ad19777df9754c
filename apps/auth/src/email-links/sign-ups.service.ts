import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import { MailsService } from '#src/mails/mails.service.js';
import { MembersService } from '#src/members/members.service.js';
import type { Authenticated } from '#src/people/authenticated.js';
import type { HashedPassword } from '#src/people/passwords.js';
import { PeopleService } from '#src/people/people.service.js';
import type { Person } from '#src/people/person.js';
import type { SiteRecord } from '#src/sites/site.js';

export interface NewAccount {
  readonly name: string;
  /** Undefined for a person who has one, which stays. */
  readonly password: HashedPassword | undefined;
}

/** Thrown to roll back: the person has no password any more, and the account needs one. */
export class PasswordIsMissing extends Error {}

/** Makes people students of a site by links of a sign-up. */
@Injectable()
export class SignUps {
  constructor(
    private readonly people: PeopleService,
    private readonly members: MembersService,
    private readonly mails: MailsService,
    private readonly audit: AuditService,
  ) {}

  /** Locks the person with the address, and creates one without an account. */
  async hold(manager: EntityManager, email: string, { name }: NewAccount): Promise<Person> {
    return (await this.people.findOrCreate(manager, { email, name })).person;
  }

  /**
   * Makes the locked person a student. `who` is undefined for one who has a password, which stays.
   *
   * @returns undefined for a person who is suspended
   * @throws PasswordIsMissing when neither the person nor `account` has a password
   */
  async complete(
    manager: EntityManager,
    site: SiteRecord,
    person: Person,
    account: NewAccount,
  ): Promise<{ readonly who: Authenticated | undefined } | undefined> {
    const { site_id } = site;
    const { person_id, state } = person;
    const { state: before } = await this.members.hold(manager, site_id, person_id);
    if (state !== 'active' || before === 'suspended') return undefined;
    const isKnown = await this.people.hasPassword(manager, person_id);
    const who = isKnown ? undefined : await this.#setPassword(manager, site, person, account.password);
    await this.people.confirmEmail(manager, person_id);
    if (before === 'removed') {
      await this.members.add(manager, site_id, person, 'student', { profile: { name: account.name } });
    }
    await this.audit.record({ event: 'account.signed_up', site_id, person_id }, manager);
    return { who };
  }

  async #setPassword(
    manager: EntityManager,
    site: SiteRecord,
    { person_id, email_verified }: Person,
    password: HashedPassword | undefined,
  ): Promise<Authenticated> {
    if (password === undefined) throw new PasswordIsMissing();
    const who = await this.people.setFirstPassword(manager, person_id, password);
    // The account was in use before, by links alone.
    if (email_verified) await this.mails.add(manager, { kind: 'password_changed', site_id: site.site_id, person_id });
    return who;
  }
}
