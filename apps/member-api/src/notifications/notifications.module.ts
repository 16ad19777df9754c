import { Module } from '@nestjs/common';
import { ViewerModule } from '#src/viewer/viewer.module.js';
import { NotificationsRepository } from './notifications.repository.js';
import { NotificationsResolver } from './notifications.resolver.js';
import { NotificationsService } from './notifications.service.js';
import { NotificationsTools } from './notifications.tools.js';

@Module({
  imports: [ViewerModule],
  providers: [NotificationsRepository, NotificationsService, NotificationsResolver, NotificationsTools],
  exports: [NotificationsService],
})
export class NotificationsModule {}
