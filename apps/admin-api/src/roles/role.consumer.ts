import { isErasedEmail, roleEvents } from '@lyceum/contracts';
import { ConsumesEach, Outbox } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MembershipService } from '#src/members/membership.service.js';

type RoleEvent = EventOf<readonly [typeof roleEvents]>;

/** Applies role events of auth to the members of the site. */
@Injectable()
export class RoleConsumer {
  constructor(
    private readonly memberships: MembershipService,
    private readonly outbox: Outbox,
  ) {}

  @ConsumesEach(roleEvents, 'roles')
  async handle(event: RoleEvent, tx: EntityManager): Promise<void> {
    const { aggregate_id, data, epoch, aggregate_version: version } = event;
    const { member_id } = data;
    if (isErasedEmail(data.email)) await this.outbox.erase(tx, roleEvents, { aggregate_id, epoch, version });
    // An event from before memberships had ids. `republish role` sends its state again.
    if (member_id === null) return;
    await this.memberships.follow(tx, { ...data, member_id, epoch, version });
  }
}
