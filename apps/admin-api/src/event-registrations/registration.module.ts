import { collectionModule } from '@lyceum/collections';
import { EventTicketModule } from '#src/event-tickets/event-ticket.module.js';
import { EventModule } from '#src/events/event.module.js';
import { StudentModule } from '#src/students/student.module.js';
import { EventClock } from './event.clock.js';
import { registrationCollection, flatRegistrationCollection } from './registration.operations.js';
import { RegistrationRepository } from './registration.repository.js';
import { RegistrationService } from './registration.service.js';
import { SeatingService } from './seating.service.js';
import { TicketSaleService } from './ticket-sale.service.js';

export const RegistrationModule = collectionModule({
  imports: [EventModule, EventTicketModule, StudentModule],
  operations: [registrationCollection, flatRegistrationCollection],
  services: [RegistrationService, TicketSaleService, SeatingService],
  providers: [RegistrationRepository, EventClock],
});
