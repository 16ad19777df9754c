import { Module } from '@nestjs/common';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { EventRegistrationsRepository, eventRegistrationSources } from './event-registrations.repository.js';
import { EventRegistrationsTools } from './event-registrations.tools.js';

@Module({
  imports: [ReadingModule],
  providers: [EventRegistrationsRepository, EventRegistrationsTools],
})
export class EventRegistrationsModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(eventRegistrationSources);
  }
}
