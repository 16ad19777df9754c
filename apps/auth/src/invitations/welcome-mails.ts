import { Injectable, Logger } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { TransactionLimits } from '@lyceum/rate-limit';
import type { EntityManager } from 'typeorm';
import { LIMITS, recipient } from '#src/limits/limits.js';
import type { Person } from '#src/people/person.js';
import type { SiteRecord } from '#src/sites/site.js';
import { InvitationsService } from './invitations.service.js';

/**
 * Queues the mails that welcome people to a site, for which their recipients have not asked. The caller has locked the
 * person, whose address is limited. The limit counts mails: a transaction that is rolled back takes nothing of it.
 */
@Injectable()
export class WelcomeMails {
  readonly #logger = new Logger(WelcomeMails.name);

  constructor(
    private readonly invitations: InvitationsService,
    private readonly limits: TransactionLimits,
  ) {}

  /**
   * The mail to a new member, or to a student who is new or corrected. Operators and the school can create, correct and
   * remove people without an end, so there is none beyond the limit of the address.
   */
  async add(manager: EntityManager, site: SiteRecord, person: Person): Promise<void> {
    const subject = recipient(site.site_id, person.email);
    if ((await this.limits.secondsToWait(manager, LIMITS.welcomes, subject)) === undefined)
      await this.invitations.welcome(manager, site, person);
    else this.#logger.warn(`the person ${person.person_id} gets no welcome mail: several went out in this hour`);
  }

  /**
   * The mail of an invitation that is sent again.
   *
   * @throws `rate_limited` beyond the limit of the address
   */
  async resend(manager: EntityManager, site: SiteRecord, person: Person): Promise<void> {
    const subject = recipient(site.site_id, person.email);
    const retryAfter = await this.limits.secondsToWait(manager, LIMITS.invitations, subject);
    if (retryAfter !== undefined) throw new ApiError('rate_limited', 'Too many invitations', { retryAfter });
    await this.invitations.welcome(manager, site, person);
  }
}
