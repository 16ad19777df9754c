import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalogue } from '#src/reading/source-catalogue.js';
import { EventRegistrationsRepository, eventRegistrationSources } from './event-registrations.repository.js';
import { EventRegistrationsTools } from './event-registrations.tools.js';

@Module({
  imports: [ReadingModule],
  providers: [EventRegistrationsRepository, EventRegistrationsTools],
})
export class EventRegistrationsModule {
  constructor(catalogue: SourceCatalogue) {
    catalogue.add(eventRegistrationSources);
  }
}
