import { Module } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { NotificationsModule } from '#src/notifications/notifications.module.js';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { CalendarsController } from './calendars.controller.js';
import { CalendarsService } from './calendars.service.js';
import { EventRegistrationsConsumer } from './event-registrations.consumer.js';
import { EventRegistrationsRepository, eventRegistrationSources } from './event-registrations.repository.js';
import { EventRegistrationsTools } from './event-registrations.tools.js';

@Module({
  imports: [ReadingModule, FanOutsModule, NotificationsModule],
  controllers: [CalendarsController],
  providers: [EventRegistrationsRepository, EventRegistrationsConsumer, EventRegistrationsTools, CalendarsService],
})
export class EventRegistrationsModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(eventRegistrationSources);
  }
}
