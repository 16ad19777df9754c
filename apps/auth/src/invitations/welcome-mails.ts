import { Injectable, Logger } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { RateLimiter } from '@lyceum/rate-limit';
import type { Limit } from '@lyceum/rate-limit';
import type { EntityManager } from 'typeorm';
import { LIMITS, recipient } from '#src/limits/limits.js';
import type { Person } from '#src/people/person.js';
import type { SiteRecord } from '#src/sites/site.js';
import { InvitationsService } from './invitations.service.js';

/** Queues the welcome mail of a locked person. */
export type AddMail = (manager: EntityManager, person: Person) => Promise<void>;

/** Queues the mails that welcome people to a site, for which their recipients have not asked. */
@Injectable()
export class WelcomeMails {
  readonly #logger = new Logger(WelcomeMails.name);

  constructor(
    private readonly invitations: InvitationsService,
    private readonly limits: RateLimiter,
  ) {}

  /**
   * The mail to a new or corrected student. The school can create, correct and remove students without an end, so there
   * is none beyond the limit of the address.
   */
  async add(manager: EntityManager, site: SiteRecord, person: Person): Promise<void> {
    const wait = await this.limits.secondsToWait(LIMITS.welcomes, recipient(site.site_id, person.email));
    await this.#addUnless(wait, manager, site, person);
  }

  /** Runs work that invites the person with the address. `add` queues no mail beyond the limit of the address. */
  forInvited<T>(site: SiteRecord, email: string, work: (add: AddMail) => Promise<T>): Promise<T> {
    return this.#reserved(LIMITS.welcomes, recipient(site.site_id, email), (take) =>
      work((manager, person) => this.#addUnless(take(), manager, site, person)),
    );
  }

  /** Runs work that sends an invitation again. Beyond the limit of the address `add` throws `rate_limited`. */
  forResent<T>(site: SiteRecord, email: string, work: (add: AddMail) => Promise<T>): Promise<T> {
    return this.#reserved(LIMITS.invitations, recipient(site.site_id, email), (take) =>
      work(async (manager, person) => {
        const retryAfter = take();
        if (retryAfter !== undefined) throw new ApiError('rate_limited', 'Too many invitations', { retryAfter });
        await this.invitations.welcome(manager, site, person);
      }),
    );
  }

  async #addUnless(wait: number | undefined, manager: EntityManager, site: SiteRecord, person: Person): Promise<void> {
    if (wait === undefined) await this.invitations.welcome(manager, site, person);
    else this.#logger.warn(`the person ${person.person_id} gets no welcome mail: several went out in this hour`);
  }

  /**
   * Takes a unit of a limit before the transaction of `work`, because its lease takes a connection of its own. A unit
   * that `work` does not take is given back: a repeated request, a dry run and a refused one send no mail.
   */
  async #reserved<T>(limit: Limit, subject: string, work: (take: () => number | undefined) => Promise<T>): Promise<T> {
    const wait = await this.limits.secondsToWait(limit, subject);
    let isOpen = wait === undefined;
    try {
      return await work(() => {
        isOpen = false;
        return wait;
      });
    } finally {
      if (isOpen) this.limits.giveBack(limit, subject);
    }
  }
}
