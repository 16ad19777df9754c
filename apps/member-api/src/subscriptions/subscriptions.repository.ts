import { Injectable } from '@nestjs/common';
import { subscriptionEvents } from '@lyceum/contracts';
import { Consumes, ReadModel, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { ofKnownPeople } from '#src/people/known-people.js';
import { rowsOf } from '#src/read-models/rows-of.js';

export type SubscriptionEvent = EventOf<[typeof subscriptionEvents]>;

/** The subscriptions of members, by which announcements find the members of a membership plan. */
@Injectable()
@ReadModel('subscriptions')
export class SubscriptionsRepository {
  @Consumes(subscriptionEvents, 'subscriptions', { table: 'subscriptions' })
  async apply(events: readonly SubscriptionEvent[], tx: EntityManager): Promise<void> {
    await writeNewest(
      tx,
      { table: 'subscriptions', key: ['subscription_id'] },
      rowsOf(ofKnownPeople(events), ['subscription_id', 'site_id', 'person_id', 'plan_id', 'state']),
    );
  }
}
