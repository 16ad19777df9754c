import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalogue } from '#src/reading/source-catalogue.js';
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
  constructor(catalogue: SourceCatalogue) {
    catalogue.add(notificationSubscriptionSources);
  }
}
