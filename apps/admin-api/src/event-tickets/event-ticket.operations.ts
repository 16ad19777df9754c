import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { flatCollection } from '#src/flat-paths/flat-collection.js';
import { keptWhileOrdered } from '#src/pending-orders/ordered-item.policy.js';
import { EventTicket } from './event-ticket.entity.js';
import { eventTicket } from './event-ticket.schema.js';
import { EventTicketService } from './event-ticket.service.js';

export const eventTicketCollection = collection({
  name: 'tickets',
  scope: 'events',
  service: EventTicketService,
  row: EventTicket,
  parent: { name: 'events', one: 'event' },
  resource: eventTicket,
  etag: ({ version, sold_count }) => rowTag(version, sold_count),
  toolItem: ['id', 'name', 'price', 'capacity', 'sold_count', 'position', 'updated_at'],
  operations: {
    list: {
      id: 'listEventTickets',
      summary: 'List the tickets of an event',
      description:
        'Returns the tickets by their position, with the sold places. The id of a ticket is what a buyer buys.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the tickets of an event by their position, with the places that are sold. Use it to see prices, and for ' +
          'the ids that register_student and update_event_ticket take.',
      },
      run: (tickets, { principal, parent_id, query }) => tickets.list(principal, query, { event_id: parent_id }),
    },
    get: {
      id: 'getEventTicket',
      summary: 'Get a ticket of an event',
      description: 'Returns the price and the sold places.',
      problems: ['forbidden'],
      run: (tickets, { principal, parent_id, id }) => tickets.get(principal, id, { event_id: parent_id }),
    },
    create: {
      id: 'createEventTicket',
      summary: 'Create a ticket of an event',
      description:
        'An event has at most 20 tickets; one without tickets is free. The event must not have ended or be canceled.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Adds a ticket with a price to an event that is not over. Use it to sell places or to limit the places of a ' +
          'group; an event without tickets is free.',
      },
      run: (tickets, { principal, parent_id, body, tx }) =>
        tickets.create(principal, { event_id: parent_id }, body, tx),
    },
    update: {
      id: 'updateEventTicket',
      summary: 'Update a ticket of an event',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Registrations keep what they paid. ' +
        `${keptWhileOrdered('ticket')} More places go to the waiting list at once.`,
      problems: ['already_exists', 'forbidden', 'invalid_state', 'resource_in_use'],
      tool: {
        description:
          'Changes how a ticket is named, priced, limited and placed. Use it for an event that is not over; ' +
          'registrations keep what they paid.',
      },
      run: (tickets, { principal, parent_id: event_id, body, tx, ...key }) =>
        tickets.patch(principal, { ...key, event_id }, body, tx),
    },
    delete: {
      id: 'deleteEventTicket',
      summary: 'Delete a ticket of an event',
      description: 'Only a ticket that no registration, canceled ones included, and no pending order names.',
      problems: ['resource_in_use', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Deletes a ticket that no registration names; any other is refused with resource_in_use. Use it for a mistake; ' +
          'update_event_ticket lowers the capacity of one that was sold.',
      },
      run: (tickets, { principal, parent_id: event_id, tx, ...key }) =>
        tickets.remove(principal, { ...key, event_id }, tx),
    },
  },
});

/** Tickets of all events, by their ids alone. */
export const flatEventTicketCollection = flatCollection(eventTicketCollection, {
  name: 'event_tickets',
  above: 'event_id',
  parentFirst: ['update', 'delete'],
  aboveText: 'The event of the ticket; it never changes',
  create: { id: 'addEventTicket', summary: 'Create a ticket of the event that the body names' },
});
