import { collectionModule } from '@lyceum/collections';
import { EventModule } from '#src/events/event.module.js';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { EventTicket } from './event-ticket.entity.js';
import { eventTicketCollection, flatEventTicketCollection } from './event-ticket.operations.js';
import { EventTicketRepository } from './event-ticket.repository.js';
import { EventTicketService } from './event-ticket.service.js';

export const EventTicketModule = collectionModule({
  imports: [EventModule, SchoolSettingsModule],
  operations: [eventTicketCollection, flatEventTicketCollection],
  services: [EventTicketService],
  providers: [EventTicketRepository],
  entities: [EventTicket],
});
