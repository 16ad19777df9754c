import { Injectable } from '@nestjs/common';
import { isErasedEmail } from '@lyceum/contracts';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { MemberErasuresRepository } from './member-erasures.repository.js';
import { PeopleRepository } from './people.repository.js';
import type { RoleEvent } from './people.repository.js';

/** Erases what this service has about a member who left or was removed. A rebuild erases nothing. */
@Injectable()
export class PeopleConsumer {
  constructor(
    private readonly people: PeopleRepository,
    private readonly erasures: MemberErasuresRepository,
  ) {}

  @Wraps(PeopleRepository, 'applyRoles')
  async applyRoles(events: readonly RoleEvent[], tx: EntityManager): Promise<void> {
    const erasing = events.filter(({ data }) => isErasedEmail(data.email));
    const current = await this.erasures.lockCurrent(erasing, tx);
    await this.people.applyRoles(events, tx);
    for (const { data, occurred_at } of erasing) await this.erasures.record(data, occurred_at, tx);
    for (const { data } of current) await this.erasures.erase(data, tx);
  }
}
