import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { NotificationsRepository, notificationSources } from './notifications.repository.js';
import { NotificationsService } from './notifications.service.js';

@Module({
  imports: [ReadingModule],
  providers: [NotificationsRepository, NotificationsService],
  exports: [NotificationsService],
})
export class NotificationsModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(notificationSources);
  }
}
