import { Injectable } from '@nestjs/common';
import { Outbox } from '@lyceum/messaging';
import { PeopleService } from '#src/people/people.service.js';
import { MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';

/** Memberships that are read at once. */
const BATCH = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Erases the members of a deleted site, and the people whose profile no other site has (ADR 74). */
@Injectable()
export class MembersOfDeletedSite {
  constructor(
    private readonly repository: MembersRepository,
    private readonly members: MembersService,
    private readonly people: PeopleService,
    private readonly outbox: Outbox,
  ) {}

  /** Erases one member after the other, each in a transaction of its own, until `step` returns false. */
  async erase(siteId: string, step: () => Promise<boolean>): Promise<void> {
    for (let after = FIRST; ;) {
      const people = await this.repository.presentPeople(siteId, after, BATCH);
      // Begins again after the last one, for a person who joined in a transaction that ended meanwhile.
      if (people.length === 0 && after === FIRST) return;
      after = people.at(-1) ?? FIRST;
      for (const personId of people) {
        await this.outbox.transaction(async (manager) => {
          const person = await this.people.hold(manager, personId);
          if (person !== undefined) await this.members.eraseLast(manager, siteId, person, 'site_deleted');
        });
        if (!(await step())) return;
      }
    }
  }
}
