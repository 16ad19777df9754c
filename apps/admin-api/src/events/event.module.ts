import { collectionModule } from '@lyceum/collections';
import { Event } from './event.entity.js';
import { eventCollection } from './event.operations.js';
import { EventRepository } from './event.repository.js';
import { EventService } from './event.service.js';
import { PublicEventTools } from './public-event.tools.js';

export const EventModule = collectionModule({
  operations: [eventCollection],
  services: [EventService],
  providers: [EventRepository, PublicEventTools],
  entities: [Event],
});
