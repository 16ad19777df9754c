import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { subscriptionEvents } from '@lyceum/contracts';
import { EventConsumers } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import { isNews } from '#src/notifications/kinds.policy.js';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import type { NewNotification } from '#src/notifications/notifications.service.js';
import { ofKnownPeople } from '#src/people/known-people.js';
import type { OfPerson } from '#src/people/known-people.js';
import { subscriptionNews } from './subscription-news.policy.js';

type SubscriptionEvent = EventOf<[typeof subscriptionEvents]>;

function membershipNotification({ data }: OfPerson<SubscriptionEvent>): NewNotification[] {
  const { subscription_id, site_id, person_id, plan_name, state, state_since } = data;
  const news = subscriptionNews(state, plan_name);
  if (news === null || !isNews(state_since, Date.now())) return [];
  const occasion = `subscription:${subscription_id}:${state}:${state_since}`;
  const where = { path: '/account/membership', subject_id: null };
  return [{ site_id, person_id, occasion, kind: 'membership_changed', ...news, ...where }];
}

/** Tells a member what becomes of their membership. Nothing of a subscription is kept. */
@Injectable()
export class SubscriptionsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly notifications: NotificationsService,
  ) {}

  onModuleInit(): void {
    this.consumers.register({
      name: 'subscriptions',
      stream: 'SCHOOL',
      events: [subscriptionEvents],
      handleAll: (events, manager) =>
        this.notifications.notify(manager, ofKnownPeople(events).flatMap(membershipNotification)),
    });
  }
}
