import { Injectable } from '@nestjs/common';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import type { Invitation } from '#src/invitations/invitation.js';
import { InvitationsService } from '#src/invitations/invitations.service.js';
import { MailsService } from '#src/mails/mails.service.js';
import type { PasskeyAnywhere } from '#src/passkeys/passkey.js';
import { PasskeysService } from '#src/passkeys/passkeys.service.js';
import type { Authenticated } from '#src/people/authenticated.js';
import type { HashedPassword } from '#src/people/passwords.js';
import { PeopleService } from '#src/people/people.service.js';
import type { SiteRecord } from '#src/sites/site.js';

export interface OpenLink {
  readonly email: string;
  /**
   * The passkeys that a reset removes unless they are selected. Empty for an invitation: such an account has no passkey
   * yet.
   */
  readonly passkeys: readonly PasskeyAnywhere[];
}

export interface NewPassword {
  readonly password: string;
  /** Ids of the passkeys to keep. */
  readonly keep: readonly string[];
}

interface ChosenPassword extends Pick<NewPassword, 'keep'> {
  readonly next: HashedPassword;
}

export interface LinkOwner {
  readonly email: string;
  /** The person, who has proved the address and chosen the password. */
  readonly who: Authenticated;
}

/** Sets passwords by links that people have followed. */
@Injectable()
export class PasswordLinks {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly people: PeopleService,
    private readonly passkeys: PasskeysService,
    private readonly mails: MailsService,
    private readonly outbox: Outbox,
  ) {}

  async find(site: SiteRecord, token: string): Promise<OpenLink | undefined> {
    const invitation = await this.invitations.find(site, token);
    if (invitation === undefined) return undefined;
    const { email, person_id, purpose } = invitation;
    return { email, passkeys: purpose === 'password_reset' ? await this.passkeys.ofPersonAnywhere(person_id) : [] };
  }

  /** The person of the link; undefined when the link was used or has expired. */
  async accept(site: SiteRecord, token: string, given: NewPassword): Promise<LinkOwner | undefined> {
    const invitation = await this.invitations.find(site, token);
    if (invitation === undefined) return undefined;
    const { email } = invitation;
    const next = await this.people.hashPassword(given.password, { email, siteName: site.name });
    const chosen = { next, keep: given.keep };
    const who = await this.outbox.transaction((manager) => this.#accept(manager, site, token, invitation, chosen));
    return who && { email, who };
  }

  /** Undefined when the link is no longer open. */
  async #accept(
    manager: EntityManager,
    site: SiteRecord,
    token: string,
    { person_id, purpose }: Invitation,
    { next, keep }: ChosenPassword,
  ): Promise<Authenticated | undefined> {
    // Locks the person first, then the links, in the order of a password change.
    const before = await this.people.hold(manager, person_id);
    if (!(await this.invitations.use(manager, site, token))) return undefined;
    const isReset = purpose === 'password_reset';
    const who = isReset
      ? await this.people.setPassword(manager, person_id, next)
      : await this.people.setFirstPassword(manager, person_id, next);
    await this.people.confirmEmail(manager, person_id);
    const passkeys = isReset ? await this.passkeys.removeAllBut(manager, person_id, keep) : [];
    // Not for the first use of an account: its person reads the mail of this link.
    if (isReset || before?.email_verified === true) {
      await this.mails.add(manager, { kind: 'password_changed', site_id: site.site_id, person_id, passkeys });
    }
    return who;
  }
}
