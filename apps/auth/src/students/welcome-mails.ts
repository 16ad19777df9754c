import { RateLimiter } from '@lyceum/rate-limit';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { InvitationsService } from '#src/invitations/invitations.service.js';
import { LIMITS } from '#src/limits/limits.js';
import type { Person } from '#src/people/person.js';
import type { SiteRecord } from '#src/sites/site.js';

/** Queues the mails that welcome students to the site. */
@Injectable()
export class WelcomeMails {
  readonly #logger = new Logger(WelcomeMails.name);

  constructor(
    private readonly invitations: InvitationsService,
    private readonly limits: RateLimiter,
  ) {}

  /**
   * The mail to a new or corrected student. The school can create and correct students without an end, and no recipient
   * has asked for a mail, so there is none beyond the limit of the person.
   */
  async add(manager: EntityManager, site: SiteRecord, person: Person): Promise<void> {
    const wait = await this.limits.secondsToWait(LIMITS.welcomes, `${site.site_id}\n${person.person_id}`);
    if (wait === undefined) await this.again(manager, site, person);
    else this.#logger.warn(`the person ${person.person_id} gets no welcome mail: several went out in this hour`);
  }

  /** The mail that the school requests again. */
  async again(manager: EntityManager, site: SiteRecord, person: Person): Promise<void> {
    await this.invitations.welcome(manager, site, person);
  }
}
