import { collectionModule } from '@lyceum/collections';
import { EventModule } from '#src/events/event.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { eventTicketCollection, flatEventTicketCollection } from './event-ticket.operations.js';
import { EventTicketRepository } from './event-ticket.repository.js';

export const EventTicketModule = collectionModule({
  imports: [EventModule, SchoolSettingsModule],
  operations: [eventTicketCollection, flatEventTicketCollection],
  providers: [EventTicketRepository],
});
