import { Injectable } from '@nestjs/common';
import { subscriptionEvents } from '@lyceum/contracts';
import { Consumes, ReadModel, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { ofKnownPeople } from '#src/people/known-people.js';

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
      ofKnownPeople(events).map(({ data, epoch, aggregate_version: version }) => ({
        subscription_id: data.subscription_id,
        site_id: data.site_id,
        person_id: data.person_id,
        plan_id: data.plan_id,
        epoch,
        version,
        state: data.state,
      })),
    );
  }
}
