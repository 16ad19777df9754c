import { Collection, Create, Delete, Get, List, Update } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ListRequest,
  ObjectRequest,
  OfParent,
  Written,
} from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EventTicket } from './event-ticket.entity.js';
import { eventTicket } from './event-ticket.schema.js';
import type { EventTicketCreate, EventTicketListQuery, EventTicketPatch } from './event-ticket.schema.js';
import { EventTicketService } from './event-ticket.service.js';

@Collection<EventTicket>({
  name: 'tickets',
  scope: 'events',
  parent: { name: 'events', one: 'event' },
  resource: eventTicket,
  etag: ({ version, sold_count }) => rowTag(version, sold_count),
  toolItem: ['id', 'name', 'price', 'capacity', 'sold_count', 'position', 'updated_at'],
})
@Injectable()
export class EventTicketOperations {
  constructor(private readonly tickets: EventTicketService) {}

  @List('listEventTickets', {
    summary: 'List the tickets of an event',
    description:
      'Returns the tickets by their position, with the sold places. The id of a ticket is what a buyer buys.',
    problems: ['forbidden'],
    tool: {
      description:
        'Lists the tickets of an event by their position, with the places that are sold. Use it to see prices, and for ' +
        'the ids that register_student and update_event_ticket take.',
    },
  })
  list({ principal, parent_id, query }: ListRequest<EventTicketListQuery> & OfParent): Promise<Page<EventTicket>> {
    return this.tickets.list(principal, query, { event_id: parent_id });
  }

  @Get('getEventTicket', {
    summary: 'Get a ticket of an event',
    description: 'Returns the price and the sold places.',
    problems: ['forbidden'],
  })
  get({ principal, parent_id, id }: ObjectRequest & OfParent): Promise<EventTicket> {
    return this.tickets.get(principal, id, { event_id: parent_id });
  }

  @Create('createEventTicket', {
    summary: 'Add a ticket to an event',
    description:
      'An event has at most 20 tickets; one without tickets is free. The event must not have ended or be canceled.',
    problems: ['already_exists', 'forbidden', 'invalid_state'],
    tool: {
      description:
        'Adds a ticket with a price to an event that is not over. Use it to sell places or to limit the places of a ' +
        'group; an event without tickets is free.',
    },
  })
  create({
    principal,
    parent_id,
    body,
    tx,
  }: CreateRequest<EventTicketCreate> & OfParent): Promise<Created<EventTicket>> {
    return this.tickets.create(principal, { event_id: parent_id }, body, tx);
  }

  @Update('updateEventTicket', {
    summary: 'Update a ticket of an event',
    description:
      'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Registrations keep what they paid. More places go ' +
      'to the waiting list at once.',
    problems: ['already_exists', 'forbidden', 'invalid_state'],
    tool: {
      description:
        'Changes the name, the price, the capacity or the position of a ticket. Use it for an event that is not over; ' +
        'registrations keep what they paid.',
    },
  })
  update({
    principal,
    parent_id: event_id,
    body,
    tx,
    ...key
  }: ChangeRequest<EventTicketPatch> & OfParent): Promise<Written<EventTicket>> {
    return this.tickets.patch(principal, { ...key, event_id }, body, tx);
  }

  @Delete('deleteEventTicket', {
    summary: 'Delete a ticket of an event',
    description: 'Only a ticket that no registration, canceled ones included, and no pending order names.',
    problems: ['resource_in_use', 'forbidden', 'invalid_state'],
    tool: {
      description:
        'Deletes a ticket that no registration names; any other is refused with resource_in_use. Use it for a mistake; ' +
        'update_event_ticket lowers the capacity of one that was sold.',
    },
  })
  remove({ principal, parent_id: event_id, tx, ...key }: ChangeRequest & OfParent): Promise<Written<EventTicket>> {
    return this.tickets.remove(principal, { ...key, event_id }, tx);
  }
}
