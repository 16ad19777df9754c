import { Injectable } from '@nestjs/common';
import { Outbox } from '@lyceum/messaging';
import { MembersService } from '#src/members/members.service.js';
import type { PersonAtSite } from '#src/people/claims.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { mayLeave } from './departure.policy.js';

/** Ends memberships at the request of their people, with the erasure of a removed member (ADR 74). */
@Injectable()
export class DeparturesService {
  constructor(
    private readonly members: MembersService,
    private readonly people: PeopleService,
    private readonly outbox: Outbox,
  ) {}

  /** False for an owner, who stays. Does nothing for a membership that has ended. */
  leave({ site_id }: SiteRecord, { person_id, member_id }: PersonAtSite): Promise<boolean> {
    return this.outbox.transaction(async (manager) => {
      const person = await this.people.hold(manager, person_id);
      const [held] = await this.members.lockByIds(manager, site_id, [member_id]);
      if (person === undefined || held === undefined || held.erased_at !== null) return true;
      if (!mayLeave(held)) return false;
      await this.members.eraseLast(manager, site_id, person, 'member_left');
      return true;
    });
  }
}
