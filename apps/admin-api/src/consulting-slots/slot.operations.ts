import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { flatCollection } from '#src/flat-paths/flat-collection.js';
import { Slot } from './slot.entity.js';
import { slot } from './slot.schema.js';
import { SlotService } from './slot.service.js';

export const slotCollection = collection({
  name: 'slots',
  scope: 'courses',
  service: SlotService,
  row: Slot,
  parent: { name: 'consulting_services', one: 'consulting service' },
  resource: slot,
  etag: ({ version, booked_count }) => rowTag(version, booked_count),
  toolItem: ['id', 'lecturer_id', 'starts_at', 'ends_at', 'capacity', 'booked_count', 'state', 'updated_at'],
  operations: {
    list: {
      id: 'listConsultingSlots',
      summary: 'List the slots of a consulting service',
      description: 'Returns open and canceled slots by their start. `starts_at[gte]` leaves out those that are over.',
      tool: {
        description:
          'Lists the slots of a consulting service by their start, canceled ones included, with the number of booked ' +
          'places. Use it to see when sessions take place, and for the ids that list_bookings takes.',
      },
      run: (slots, { principal, parent_id, query }) =>
        slots.list(principal, query, { consulting_service_id: parent_id }),
    },
    get: {
      id: 'getConsultingSlot',
      summary: 'Get a slot of a consulting service',
      description: 'Returns the times, the lecturer and the booked places.',
      run: (slots, { principal, parent_id, id }) => slots.get(principal, id, { consulting_service_id: parent_id }),
    },
    create: {
      id: 'createConsultingSlot',
      summary: 'Create a slot of a consulting service',
      description:
        'Adds a session at one time, with one lecturer of the service; a `capacity` above 1 is a group session. A lecturer ' +
        'has one session at a time. A slot of the past records a session that took place. A lecturer adds own slots.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Adds a time at which a session of a consulting service can be booked. Use it to open a session; a lecturer who ' +
          'has another one at that time is refused.',
      },
      run: (slots, { principal, parent_id, body, tx }) =>
        slots.create(principal, { consulting_service_id: parent_id }, body, tx),
    },
    bulk: {
      id: 'createConsultingSlots',
      summary: 'Create slots of a consulting service',
      description:
        'Adds up to 200 slots, each as "Create a slot of a consulting service" does: all of them or none with `atomic`, else ' +
        'each by itself. An item that overlaps an earlier one of the same lecturer is refused.',
      problems: ['invalid_state'],
      body: slot.create,
      run: (slots, { principal, parent_id, body, tx }) =>
        slots.createAll(principal, { consulting_service_id: parent_id }, body, tx),
    },
    update: {
      id: 'updateConsultingSlot',
      summary: 'Update a slot of a consulting service',
      description:
        'JSON Merge Patch (RFC 7396). Its bookings follow new times and a new address. The capacity stays at or above the ' +
        'booked places. A canceled slot cannot change.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Changes the times, the lecturer or the capacity of a slot; its bookings follow. Use it to move a whole session; ' +
          'move_booking moves one student.',
      },
      run: (slots, { principal, parent_id: consulting_service_id, body, tx, ...key }) =>
        slots.patch(principal, { ...key, consulting_service_id }, body, tx),
    },
    actions: {
      cancel: {
        id: 'cancelConsultingSlot',
        summary: 'Cancel a slot of a consulting service',
        description:
          'Cancels the slot and its scheduled bookings for good, and returns each session to its purchase, at any time. ' +
          'Canceling twice changes nothing.',
        ends: true,
        tool: {
          description:
            'Cancels a slot with its bookings for good; each purchase gets its session back. Use it when a session does not ' +
            'take place; cancel_booking is for one student.',
        },
        run: (slots, { principal, parent_id: consulting_service_id, tx, ...key }) =>
          slots.cancel(principal, { ...key, consulting_service_id }, tx),
      },
    },
  },
});

/** Slots of all consulting services, by their ids alone. */
export const flatSlotCollection = flatCollection(slotCollection, {
  name: 'slots',
  above: 'consulting_service_id',
  aboveText: 'The consulting service of the slot; it never changes',
  create: { id: 'addConsultingSlot', summary: 'Create a slot of the consulting service that the body names' },
});
