import { Injectable } from '@nestjs/common';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import type { NewNotification } from '#src/notifications/notifications.service.js';
import { stateChanges } from '#src/notifications/state-changes.js';
import type { StateChange } from '#src/notifications/state-changes.js';
import { ofKnownPeople } from '#src/people/known-people.js';
import type { OfPerson } from '#src/people/known-people.js';
import { withoutErased } from '#src/people/member-erasures.js';
import { subscriptionNotices } from './subscription-change.policy.js';
import type { SubscriptionState } from './subscription-change.policy.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';
import type { SubscriptionEvent } from './subscriptions.repository.js';

type Change = StateChange<SubscriptionState, OfPerson<SubscriptionEvent>>;

function membershipNotifications({ before, event }: Change): NewNotification[] {
  const { subscription_id, site_id, person_id, plan_name: plan } = event.data;
  const { type, epoch, aggregate_version, occurred_at } = event;
  const reason = { name: type.split('.')[2] ?? '', version: `${epoch}:${aggregate_version}`, occurred_at };
  return subscriptionNotices(reason, before, event.data, Date.now()).map(({ change, key }) => ({
    site_id,
    person_id,
    occasion: `subscription:${subscription_id}:${key}`,
    kind: 'membership_changed',
    parameters: { plan, change },
    path: null,
    subject_id: null,
  }));
}

/** Notifies a member of changes of their membership. */
@Injectable()
export class SubscriptionsConsumer {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly notifications: NotificationsService,
  ) {}

  @Wraps(SubscriptionsRepository, 'apply')
  async applyAndNotify(events: readonly SubscriptionEvent[], tx: EntityManager): Promise<void> {
    const current = ofKnownPeople(await withoutErased(events, tx));
    const ids = current.map(({ data }) => data.subscription_id);
    const stored = await this.subscriptions.lock(ids, tx);
    await this.subscriptions.apply(events, tx);
    await this.notifications.notify(tx, stateChanges(stored, current).flatMap(membershipNotifications));
  }
}
