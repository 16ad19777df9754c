import { Injectable } from '@nestjs/common';
import { subscriptionEvents } from '@lyceum/contracts';
import { Consumes, ReadModel } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { writeRowsOfPeople } from '#src/people/rows-of-people.js';

export type SubscriptionEvent = EventOf<[typeof subscriptionEvents]>;

/** The subscriptions of members, by which announcements find the members of a membership plan. */
@Injectable()
@ReadModel('subscriptions')
export class SubscriptionsRepository {
  @Consumes(subscriptionEvents, 'subscriptions', { table: 'subscriptions' })
  async apply(events: readonly SubscriptionEvent[], tx: EntityManager): Promise<void> {
    await writeRowsOfPeople(tx, { table: 'subscriptions', id: 'subscription_id' }, events, [
      'subscription_id',
      'site_id',
      'person_id',
      'plan_id',
      'state',
    ]);
  }
}
