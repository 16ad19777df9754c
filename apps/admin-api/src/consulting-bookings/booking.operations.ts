import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { flatCollection } from '#src/flat-paths/flat-collection.js';
import { Booking } from './booking.entity.js';
import { booking, bookingMove } from './booking.schema.js';
import { BookingService } from './booking.service.js';
import type { BookingEdge } from './booking.service.js';

const OPERATORS: BookingEdge = {
  by: 'operator',
  purchase: '/purchase_id',
  slot: '/to_slot_id',
  unknown: 'validation_failed',
};

export const bookingCollection = collection({
  name: 'bookings',
  scope: 'students',
  service: BookingService,
  row: Booking,
  parent: { name: 'slots', one: 'slot' },
  resource: booking,
  etag: ({ revision }) => rowTag(revision),
  personal: true,
  toolItem: ['id', 'slot_id', 'purchase_id', 'student_id', 'state', 'starts_at', 'ends_at', 'session_returned'],
  operations: {
    list: {
      id: 'listBookings',
      summary: 'List the bookings of a slot',
      description: 'Returns bookings of every state, the newest first.',
      tool: {
        description:
          'Lists who has booked a slot of a consulting service, canceled bookings included, newest first. Use it to see ' +
          'who comes, and for the ids that move_booking and cancel_booking take.',
      },
      run: (bookings, { principal, parent_id, query }) => bookings.list(principal, query, { slot_id: parent_id }),
    },
    get: {
      id: 'getBooking',
      summary: 'Get a booking of a slot',
      description: 'Returns the student, the times and the state.',
      run: (bookings, { principal, parent_id, id }) => bookings.get(principal, id, { slot_id: parent_id }),
    },
    create: {
      id: 'createBooking',
      summary: 'Book a slot',
      description:
        'Takes a place in the slot and uses a session of the purchase. A purchase has one place in a slot. Operators also ' +
        'book slots of the past, to record a session that took place.',
      problems: ['already_exists', 'invalid_state'],
      tool: {
        description:
          'Books a place in a slot with a session of a purchase. Use it for a student who asks for a session; a full slot ' +
          'or a purchase without a session left is refused.',
      },
      run: (bookings, { principal, parent_id, body: { purchase_id, ...own }, tx }) => {
        const wanted = { slot_id: parent_id, purchase: { id: purchase_id }, own };
        return bookings.book(principal, wanted, tx, OPERATORS);
      },
    },
    update: {
      id: 'updateBooking',
      summary: 'Update a booking of a slot',
      description: 'JSON Merge Patch (RFC 7396) of the data of the school. Actions change the slot and the state.',
      problems: ['already_exists'],
      run: (bookings, { principal, parent_id: slot_id, body, tx, ...key }) =>
        bookings.patch(principal, { ...key, slot_id }, body, tx),
    },
    actions: {
      move: {
        id: 'moveBooking',
        summary: 'Move a booking to another slot',
        description:
          'Takes a place in another slot of the service and leaves the one in this slot, in one step. The session stays used. ' +
          'From then on, the path of the booking is below the other slot.',
        body: bookingMove,
        problems: ['invalid_state'],
        tool: {
          description:
            'Moves a scheduled booking to another slot of the same service; when that is full, it stays. Use it when a ' +
            'student wants another time.',
        },
        run: (bookings, { principal, parent_id: slot_id, body, tx, ...key }) =>
          bookings.move(principal, { ...key, slot_id }, { slot_id: body.to_slot_id }, tx, OPERATORS),
      },
      cancel: {
        id: 'cancelBooking',
        summary: 'Cancel a booking',
        description:
          'Frees the place. The purchase gets its session back until `cancel_notice_hours` of the service before the start; a ' +
          'later cancellation uses it. Canceling twice changes nothing.',
        ends: true,
        problems: ['invalid_state'],
        tool: {
          description:
            'Cancels a scheduled booking and frees its place; the session goes back when the notice of the service is kept. ' +
            'Use it when a student does not come.',
        },
        run: (bookings, { principal, parent_id: slot_id, tx, ...key }) =>
          bookings.cancel(principal, { ...key, slot_id }, tx, OPERATORS),
      },
      complete: {
        id: 'completeBooking',
        summary: 'Record that a student came',
        description:
          'Changes the state from `scheduled`, or from `no_show` as a correction, once the session has begun.',
        problems: ['invalid_state'],
        tool: {
          description:
            'Records that the student came to a session that has begun. Use it after the session; miss_booking records that ' +
            'the student did not come.',
        },
        run: (bookings, { principal, parent_id: slot_id, tx, ...key }) =>
          bookings.attend(principal, { ...key, slot_id }, 'complete', tx),
      },
      no_show: {
        id: 'missBooking',
        summary: 'Record that a student did not come',
        description:
          'Changes the state from `scheduled`, or from `completed` as a correction, once the session has begun. The session ' +
          'stays used.',
        problems: ['invalid_state'],
        tool: {
          description:
            'Records that the student did not come to a session that has begun; the session stays used. Use it after the ' +
            'session; complete_booking records that the student came.',
        },
        run: (bookings, { principal, parent_id: slot_id, tx, ...key }) =>
          bookings.attend(principal, { ...key, slot_id }, 'no_show', tx),
      },
    },
  },
});

/** Bookings of all slots, by their ids alone. */
export const flatBookingCollection = flatCollection(bookingCollection, {
  name: 'consulting_bookings',
  above: 'slot_id',
  aboveText: 'The slot to book',
  create: { id: 'bookSlot', summary: 'Book the slot that the body names' },
});
