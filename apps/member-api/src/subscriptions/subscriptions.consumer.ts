import { Injectable } from '@nestjs/common';
import { subscriptionEvents } from '@lyceum/contracts';
import { Consumes } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { isRecent } from '#src/notifications/kinds.policy.js';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import type { NewNotification } from '#src/notifications/notifications.service.js';
import { ofKnownPeople } from '#src/people/known-people.js';
import type { OfPerson } from '#src/people/known-people.js';
import { subscriptionChange } from './subscription-change.policy.js';

type SubscriptionEvent = EventOf<[typeof subscriptionEvents]>;

function membershipNotification({ data }: OfPerson<SubscriptionEvent>): NewNotification[] {
  const { subscription_id, site_id, person_id, plan_name, state, state_since } = data;
  const change = subscriptionChange(state);
  if (change === null || !isRecent(state_since, Date.now())) return [];
  const occasion = `subscription:${subscription_id}:${state}:${state_since}`;
  const where = { path: '/account/membership', subject_id: null };
  return [
    { site_id, person_id, occasion, kind: 'membership_changed', parameters: { plan: plan_name, change }, ...where },
  ];
}

/** Notifies a member of changes of their membership. Subscriptions are not stored. */
@Injectable()
export class SubscriptionsConsumer {
  constructor(private readonly notifications: NotificationsService) {}

  @Consumes(subscriptionEvents, 'subscriptions')
  async notifyOfMembership(events: readonly SubscriptionEvent[], tx: EntityManager): Promise<void> {
    await this.notifications.notify(tx, ofKnownPeople(events).flatMap(membershipNotification));
  }
}
