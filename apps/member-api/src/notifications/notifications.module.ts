import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalogue } from '#src/reading/source-catalogue.js';
import { NotificationsRepository, notificationSources } from './notifications.repository.js';
import { NotificationsService } from './notifications.service.js';

@Module({
  imports: [ReadingModule],
  providers: [NotificationsRepository, NotificationsService],
  exports: [NotificationsService],
})
export class NotificationsModule {
  constructor(catalogue: SourceCatalogue) {
    catalogue.add(notificationSources);
  }
}
