import { Module } from '@nestjs/common';
import { ViewerModule } from '#src/viewer/viewer.module.js';
import { NotificationSubscriptionsRepository } from './notification-subscriptions.repository.js';
import { NotificationSubscriptionsResolver } from './notification-subscriptions.resolver.js';
import { NotificationSubscriptionsService } from './notification-subscriptions.service.js';
import { NotificationSubscriptionsTools } from './notification-subscriptions.tools.js';

@Module({
  imports: [ViewerModule],
  providers: [
    NotificationSubscriptionsRepository,
    NotificationSubscriptionsService,
    NotificationSubscriptionsResolver,
    NotificationSubscriptionsTools,
  ],
  exports: [NotificationSubscriptionsService],
})
export class NotificationSubscriptionsModule {}
