import { Module } from '@nestjs/common';
import { NotificationsModule } from '#src/notifications/notifications.module.js';
import { SubscriptionsConsumer } from './subscriptions.consumer.js';

@Module({ imports: [NotificationsModule], providers: [SubscriptionsConsumer] })
export class SubscriptionsModule {}
