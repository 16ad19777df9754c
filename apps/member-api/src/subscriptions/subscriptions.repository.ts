import { Injectable } from '@nestjs/common';
import { subscriptionEvents } from '@lyceum/contracts';
import { Consumes, ReadModel } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import type { Stored } from '#src/notifications/state-changes.js';
import { lockStates } from '#src/notifications/stored-states.js';
import { writeRowsOfPeople } from '#src/people/rows-of-people.js';
import type { SubscriptionState } from './subscription-change.policy.js';

export type SubscriptionEvent = EventOf<[typeof subscriptionEvents]>;

/** The subscriptions of members, by which announcements find the members of a membership plan. */
@Injectable()
@ReadModel('subscriptions')
export class SubscriptionsRepository {
  lock(ids: readonly string[], tx: EntityManager): Promise<Stored<SubscriptionState>[]> {
    return lockStates(tx, { table: 'subscriptions', id: 'subscription_id', columns: ['state'] }, ids);
  }

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
