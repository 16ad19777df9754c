import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { flatCollection } from '#src/flat-paths/flat-collection.js';
import { EventRegistration } from './registration.entity.js';
import { eventRegistration } from './registration.schema.js';
import { RegistrationService } from './registration.service.js';
import type { RegistrationEdge } from './registration.service.js';

const OPERATORS: RegistrationEdge = { by: 'operator', event: '', student: '/student_id', ticket: '/ticket_id' };

export const registrationCollection = collection({
  name: 'registrations',
  scope: 'events',
  service: RegistrationService,
  row: EventRegistration,
  parent: { name: 'events', one: 'event' },
  resource: eventRegistration,
  etag: ({ version }) => rowTag(version),
  personal: true,
  toolItem: ['id', 'student_id', 'ticket_id', 'state', 'source', 'registered_at', 'checked_in_at', 'canceled_at'],
  operations: {
    list: {
      id: 'listEventRegistrations',
      summary: 'List the registrations for an event',
      description:
        'Returns registrations of every state, the newest first. The waiting list is ordered by registered_at.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists who has registered for an event, waiting and canceled registrations included, newest first. Use it to ' +
          'see who comes, and for the ids that check_in_registration and cancel_event_registration take.',
      },
      run: (registrations, { principal, parent_id, query }) =>
        registrations.list(principal, query, { event_id: parent_id }),
    },
    get: {
      id: 'getEventRegistration',
      summary: 'Get a registration for an event',
      description: 'Returns the student, the ticket and the state.',
      problems: ['forbidden'],
      run: (registrations, { principal, parent_id, id }) => registrations.get(principal, id, { event_id: parent_id }),
    },
    create: {
      id: 'registerStudent',
      summary: 'Register a student for an event',
      description:
        'Idempotent: a registration of the student that is not canceled stays as it is, and is returned with 200. An ' +
        'event or a ticket without a free place puts the student on the waiting list with `waitlist`, and refuses the ' +
        'registration without it. The event must be published; one that has ended records who came.',
      existing: 'The registration that exists',
      knownBy: ['student_id'],
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Registers a student for a published event, or puts them on its waiting list when it is full and has one; a ' +
          'second call changes nothing. Use it for a student who wants to come.',
      },
      run: (registrations, { principal, parent_id, body, tx }) =>
        registrations.register(principal, { event_id: parent_id }, body, tx, OPERATORS),
    },
    bulk: {
      id: 'registerStudents',
      summary: 'Register students for an event',
      description:
        'Registers up to 200 students, each as "Register a student for an event" does: all of them or none with `atomic`, ' +
        'else each by itself. Items get places in their order.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      body: eventRegistration.create,
      run: (registrations, { principal, parent_id, body, tx }) =>
        registrations.registerAll(principal, { event_id: parent_id }, body, tx, OPERATORS),
    },
    update: {
      id: 'updateEventRegistration',
      summary: 'Update a registration for an event',
      description: 'JSON Merge Patch (RFC 7396) of the data of the school. Actions change the state.',
      problems: ['already_exists', 'forbidden'],
      run: (registrations, { principal, parent_id: event_id, body, tx, ...key }) =>
        registrations.patch(principal, { ...key, event_id }, body, tx),
    },
    actions: {
      cancel: {
        id: 'cancelEventRegistration',
        summary: 'Cancel a registration for an event',
        description:
          'Frees the place, which the first one of the waiting list gets at once. A student who came or was missing keeps ' +
          'the registration. Canceling twice changes nothing; the student can register again.',
        ends: true,
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Cancels the registration of a student; the first one of the waiting list gets the place. Use it when a student ' +
            'does not come; cancel_event is for the whole event.',
        },
        run: (registrations, { principal, parent_id: event_id, tx, ...key }) =>
          registrations.cancel(principal, { ...key, event_id }, tx, OPERATORS),
      },
      check_in: {
        id: 'checkInRegistration',
        summary: 'Record that a student came',
        description:
          'From `registered`, or from `no_show` as a correction, from one hour before the start. Checking in twice changes ' +
          'nothing.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Records that a student came to an event, from one hour before its start. Use it at the door or after the event; ' +
            'miss_registration records that the student did not come.',
        },
        run: (registrations, { principal, parent_id: event_id, tx, ...key }) =>
          registrations.attend(principal, { ...key, event_id }, 'check_in', tx),
      },
      no_show: {
        id: 'missRegistration',
        summary: 'Record that a student did not come',
        description: 'From `registered`, or from `checked_in` as a correction, from the start. The place stays taken.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Records that a student did not come to an event that has begun; the place stays taken. Use it after the event; ' +
            'check_in_registration records that the student came.',
        },
        run: (registrations, { principal, parent_id: event_id, tx, ...key }) =>
          registrations.attend(principal, { ...key, event_id }, 'no_show', tx),
      },
    },
  },
});

/** Registrations for all events, by their ids alone. */
export const flatRegistrationCollection = flatCollection(registrationCollection, {
  name: 'event_registrations',
  above: 'event_id',
  parentFirst: ['cancel', 'check_in', 'no_show'],
  aboveText: 'The event; it never changes',
  create: { id: 'registerForEvent', summary: 'Register a student for the event that the body names' },
});
