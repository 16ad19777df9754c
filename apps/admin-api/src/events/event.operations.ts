import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { Event } from './event.entity.js';
import { EVENT_STATES, stateAt } from './event.policy.js';
import type { EventState } from './event.policy.js';
import { event } from './event.schema.js';
import { EventService } from './event.service.js';

const stateOf = (row: Event): EventState => stateAt(row, new Date());

export const eventCollection = collection({
  name: 'events',
  description: 'Events that people register for, online or at a place. Needs the role owner or admin.',
  scope: 'events',
  service: EventService,
  row: Event,
  resource: event,
  view: {
    state: stateOf,
    tickets: ({ tickets }) => tickets.map(({ sold_out: _soldOut, ...ticket }) => ticket),
  },
  // Time changes the state and `updated_at` without an edit, and a registration the number of taken places.
  etag: (row) =>
    rowTag(row.revision, row.registrations_count, EVENT_STATES.indexOf(stateOf(row)), row.updated_at.getTime()),
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
  operations: {
    list: {
      id: 'listEvents',
      summary: 'List events',
      description: 'Returns events of every state, without their descriptions and join links.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the events of this site for its operators, drafts and canceled ones included, the newest entry first. ' +
          'Use it to manage events; browse_events shows the events that visitors see.',
      },
      run: (events, { principal, query }) => events.list(principal, query),
    },
    get: {
      id: 'getEvent',
      summary: 'Get an event',
      description: 'Returns the event with its description and the link for registrants.',
      problems: ['forbidden'],
      tool: {
        description:
          'Reads one event in any state, with its tickets, registrations and the link to join. Use it when you know the ' +
          'id from list_events; browse_item shows what visitors see.',
      },
      run: (events, { principal, id }) => events.get(principal, id),
    },
    create: {
      id: 'createEvent',
      summary: 'Create an event',
      description: 'The new event is a draft: only operators see it until it is published. Tickets are added below it.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Creates an event as a draft. Use it to plan an event; create_event_ticket adds tickets, and publish_event opens ' +
          'it for registrations.',
      },
      run: (events, { principal, body, tx }) => events.create(principal, body, tx),
    },
    upsert: {
      id: 'putEvent',
      summary: 'Create or update an event',
      description: 'Creates the event of the `external_id` as a draft, or changes the fields that the body names.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      run: (events, request) => events.upsert(request),
    },
    update: {
      id: 'updateEvent',
      summary: 'Update an event',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. A live event keeps its start. An event that has ' +
        'ended or is canceled keeps its times, its place and its capacity. A published event ends in the future. More ' +
        'places go to the waiting list at once.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Changes the given members of an event: absent ones stay, null clears. Use it to move an event or to change its ' +
          'capacity; one that has ended or is canceled keeps its times and its place.',
      },
      run: (events, { principal, body, tx, ...key }) => events.patch(principal, key, body, tx),
    },
    actions: {
      publish: {
        id: 'publishEvent',
        summary: 'Publish an event',
        description: 'From draft. The event must end in the future. It cannot be a draft again: cancel it instead.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Shows a draft to visitors and opens it for registrations; it cannot be a draft again. Use it when an event is ' +
            'ready; cancel_event calls it off.',
        },
        run: (events, { principal, tx, ...key }) => events.move(principal, key, 'publish', tx),
      },
      cancel: {
        id: 'cancelEvent',
        summary: 'Cancel an event',
        description:
          'From published, before the start, and for good. All registrations are canceled, and registrants are notified. ' +
          'More than 200 registrations follow within a minute. Canceling twice changes nothing.',
        ends: true,
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Calls a published event off for good, with all of its registrations; registrants are notified. Use it when an ' +
            'event does not take place; cancel_event_registration is for one student.',
        },
        run: (events, { principal, tx, ...key }) => events.move(principal, key, 'cancel', tx),
      },
    },
    delete: {
      id: 'deleteEvent',
      summary: 'Delete an event',
      description:
        'Deletes a draft with its tickets, for good, unless a pending order names one of them. Any other event can be ' +
        'canceled.',
      problems: ['forbidden', 'invalid_state', 'resource_in_use'],
      tool: {
        description:
          'Deletes a draft with its tickets for good; any other event is refused. Use it for a mistake; cancel_event is ' +
          'for a published event.',
      },
      run: (events, { principal, tx, ...key }) => events.remove(principal, key, tx),
    },
  },
});
