import { Module } from '@nestjs/common';
import { NotificationsModule } from '#src/notifications/notifications.module.js';
import { SubscriptionsConsumer } from './subscriptions.consumer.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

@Module({ imports: [NotificationsModule], providers: [SubscriptionsRepository, SubscriptionsConsumer] })
export class SubscriptionsModule {}
