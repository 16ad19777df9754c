import { Collection, Get, List } from '@lyceum/collections';
import type { ListRequest, ObjectRequest } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Event } from './event.entity.js';
import { event } from './event.schema.js';
import type { EventListQuery } from './event.schema.js';
import { EventService } from './event.service.js';

@Collection<Event>({
  name: 'events',
  description: 'Events that people register for, online or at a place.',
  resource: event,
  etag: ({ version, registrations_count }) => rowTag(version, registrations_count),
  toolItem: [
    'id',
    'slug',
    'name',
    'state',
    'hosting_type',
    'starts_at',
    'ends_at',
    'timezone',
    'capacity',
    'registrations_count',
    'updated_at',
  ],
})
@Injectable()
export class EventOperations {
  constructor(private readonly events: EventService) {}

  @List('listEvents', {
    summary: 'List events',
    description: 'Returns events of every state, without their descriptions and join links.',
    tool: {
      description:
        'Lists the events of this site for its operators, drafts and canceled ones included, the newest entry first. ' +
        'Use it to manage events; browse_events shows the events that visitors see.',
    },
  })
  list({ principal, query }: ListRequest<EventListQuery>): Promise<Page<Event>> {
    return this.events.list(principal, query);
  }

  @Get('getEvent', {
    summary: 'Get an event',
    description: 'Returns the event with its description and the link for registrants.',
    tool: {
      description:
        'Reads one event in any state, with its tickets, registrations and the link to join. Use it when you know the ' +
        'id from list_events; browse_item shows what visitors see.',
    },
  })
  get({ principal, id }: ObjectRequest): Promise<Event> {
    return this.events.get(principal, id);
  }
}
