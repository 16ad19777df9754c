import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import {
  NotificationSubscriptionsRepository,
  notificationSubscriptionSources,
} from './notification-subscriptions.repository.js';
import { NotificationSubscriptionsResolver } from './notification-subscriptions.resolver.js';
import { NotificationSubscriptionsService } from './notification-subscriptions.service.js';
import { NotificationSubscriptionsTools } from './notification-subscriptions.tools.js';

@Module({
  imports: [ReadingModule],
  providers: [
    NotificationSubscriptionsRepository,
    NotificationSubscriptionsService,
    NotificationSubscriptionsResolver,
    NotificationSubscriptionsTools,
  ],
  exports: [NotificationSubscriptionsService],
})
export class NotificationSubscriptionsModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(notificationSubscriptionSources);
  }
}
