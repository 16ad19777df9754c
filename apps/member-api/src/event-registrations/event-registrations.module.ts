import { Module } from '@nestjs/common';
import { ViewerModule } from '#src/viewer/viewer.module.js';
import { EventRegistrationsConsumer } from './event-registrations.consumer.js';
import { EventRegistrationsCopy } from './event-registrations.copy.js';
import { EventRegistrationsRepository } from './event-registrations.repository.js';
import { EventRegistrationsTools } from './event-registrations.tools.js';

@Module({
  imports: [ViewerModule],
  providers: [
    EventRegistrationsRepository,
    EventRegistrationsCopy,
    EventRegistrationsConsumer,
    EventRegistrationsTools,
  ],
})
export class EventRegistrationsModule {}
