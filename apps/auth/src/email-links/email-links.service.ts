import { Injectable } from '@nestjs/common';
import { Outbox } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import type { Authenticated } from '#src/people/authenticated.js';
import { PeopleService } from '#src/people/people.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { EmailLinkPurpose, OpenEmailLink } from './email-link.js';
import { EmailLinksRepository } from './email-links.repository.js';
import { offers } from './offered.policy.js';
import { PasswordIsMissing, SignUps } from './sign-ups.service.js';
import type { NewAccount } from './sign-ups.service.js';

/** An account as a form says it. */
export interface TypedAccount {
  readonly name: string;
  /** Ignored for a person who has one. */
  readonly password: string;
}

export interface FoundEmailLink extends OpenEmailLink {
  /** The account has a password, which a link never changes. */
  readonly hasPassword: boolean;
}

/** `joined`: the person had an account before, and signs in with its password. */
export type SignedUp =
  | { readonly kind: 'over' }
  | { readonly kind: 'joined' }
  | { readonly kind: 'created'; readonly email: string; readonly who: Authenticated };

/** The proof of a person by a link. */
export interface LinkProof {
  readonly email: string;
  readonly who: Authenticated;
}

/** Thrown to roll back. */
class LinkIsOver extends Error {}

/** Creates accounts and signs in by links that people have followed. */
@Injectable()
export class EmailLinks {
  constructor(
    private readonly links: EmailLinksRepository,
    private readonly people: PeopleService,
    private readonly signUps: SignUps,
    private readonly outbox: Outbox,
  ) {}

  /** Undefined for a link that is no longer open, and where the site no longer offers it. */
  async find(site: SiteRecord, token: string): Promise<FoundEmailLink | undefined> {
    const link = await this.#openLink(site, token);
    if (link === undefined) return undefined;
    const account = await this.links.account(site.site_id, link.email);
    return { ...link, hasPassword: account?.has_password ?? false };
  }

  /** Creates the account if the address has none, and makes the person a student of the site. */
  async signUp(site: SiteRecord, token: string, { name, password }: TypedAccount): Promise<SignedUp> {
    const link = await this.find(site, token);
    if (link === undefined) return { kind: 'over' };
    const { email } = link;
    const hash = () => this.people.hashPassword(password, { email, siteName: site.name });
    try {
      return await this.#signUp(site, token, email, { name, password: link.hasPassword ? undefined : await hash() });
    } catch (error) {
      if (!(error instanceof PasswordIsMissing)) throw error;
      return this.#signUp(site, token, email, { name, password: await hash() });
    }
  }

  #signUp(site: SiteRecord, token: string, email: string, account: NewAccount): Promise<SignedUp> {
    return this.#unlessOver<SignedUp>({ kind: 'over' }, async (manager) => {
      // Locks the person first, then the links, in the order of a password change.
      const person = await this.signUps.hold(manager, email, account);
      await this.#use(manager, site, token, 'sign_up');
      const done = await this.signUps.complete(manager, site, person, account);
      if (done === undefined) throw new LinkIsOver();
      return done.who === undefined ? { kind: 'joined' } : { kind: 'created', email, who: done.who };
    });
  }

  /** Undefined when the link is no longer open. */
  async signIn(site: SiteRecord, token: string): Promise<LinkProof | undefined> {
    const email = (await this.#openLink(site, token))?.email;
    if (email === undefined) return undefined;
    return this.#unlessOver<LinkProof | undefined>(undefined, async (manager) => {
      const who = await this.people.authenticateByLink(manager, email);
      if (who === undefined) throw new LinkIsOver();
      await this.#use(manager, site, token, 'sign_in');
      return { email, who };
    });
  }

  async #openLink(site: SiteRecord, token: string): Promise<OpenEmailLink | undefined> {
    const link = await this.links.open(site.site_id, token);
    return link !== undefined && offers(site, link.purpose) ? link : undefined;
  }

  /** One of two concurrent uses succeeds. */
  async #use(manager: EntityManager, site: SiteRecord, token: string, purpose: EmailLinkPurpose): Promise<void> {
    if (!(await this.links.use(manager, site.site_id, token, purpose))) throw new LinkIsOver();
  }

  async #unlessOver<T>(over: T, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.outbox.transaction(work);
    } catch (error) {
      if (error instanceof LinkIsOver) return over;
      throw error;
    }
  }
}
