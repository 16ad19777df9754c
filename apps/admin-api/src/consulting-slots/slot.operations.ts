import { Action, BulkOf, Collection, Create, Get, List, Update } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ListRequest,
  ObjectRequest,
  OfParent,
  Written,
} from '@lyceum/collections';
import type { ApiError } from '@lyceum/errors';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Slot } from './slot.entity.js';
import { slot } from './slot.schema.js';
import type { SlotCreate, SlotListQuery, SlotPatch } from './slot.schema.js';
import { SlotService } from './slot.service.js';

@Collection<Slot>({
  name: 'slots',
  scope: 'courses',
  parent: { name: 'consulting_services', one: 'consulting service' },
  resource: slot,
  etag: ({ version, booked_count }) => rowTag(version, booked_count),
  toolItem: ['id', 'lecturer_id', 'starts_at', 'ends_at', 'capacity', 'booked_count', 'state', 'updated_at'],
})
@Injectable()
export class SlotOperations {
  constructor(private readonly slots: SlotService) {}

  @List('listConsultingSlots', {
    summary: 'List the slots of a consulting service',
    description: 'Returns open and canceled slots by their start. `starts_at[gte]` leaves out those that are over.',
    tool: {
      description:
        'Lists the slots of a consulting service by their start, canceled ones included, with the number of booked ' +
        'places. Use it to see when sessions take place, and for the ids that list_bookings takes.',
    },
  })
  list({ principal, parent_id, query }: ListRequest<SlotListQuery> & OfParent): Promise<Page<Slot>> {
    return this.slots.list(principal, query, { consulting_service_id: parent_id });
  }

  @Get('getConsultingSlot', {
    summary: 'Get a slot of a consulting service',
    description: 'Returns the times, the lecturer and the booked places.',
  })
  get({ principal, parent_id, id }: ObjectRequest & OfParent): Promise<Slot> {
    return this.slots.get(principal, id, { consulting_service_id: parent_id });
  }

  @Create('createConsultingSlot', {
    summary: 'Add a slot to a consulting service',
    description:
      'Adds a session at one time, with one lecturer of the service; a `capacity` above 1 is a group session. A lecturer ' +
      'has one session at a time. A slot of the past records a session that took place. A lecturer adds own slots.',
    problems: ['already_exists', 'forbidden', 'invalid_state'],
    tool: {
      description:
        'Adds a time at which a session of a consulting service can be booked. Use it to open a session; a lecturer who ' +
        'has another one at that time is refused.',
    },
  })
  create({ principal, parent_id, body, tx }: CreateRequest<SlotCreate> & OfParent): Promise<Created<Slot>> {
    return this.slots.create(principal, { consulting_service_id: parent_id }, body, tx);
  }

  @BulkOf('createConsultingSlots', {
    summary: 'Add slots to a consulting service',
    description:
      'Adds up to 200 slots, each as "Add a slot to a consulting service" does: all of them or none with `atomic`, else ' +
      'each by itself. An item that overlaps an earlier one of the same lecturer is refused.',
    problems: ['invalid_state'],
    body: slot.create,
  })
  createAll({
    principal,
    parent_id,
    body,
    tx,
  }: CreateRequest<readonly SlotCreate[]> & OfParent): Promise<readonly (Created<Slot> | ApiError)[]> {
    return this.slots.createAll(principal, { consulting_service_id: parent_id }, body, tx);
  }

  @Update('updateConsultingSlot', {
    summary: 'Change a slot of a consulting service',
    description:
      'JSON Merge Patch (RFC 7396). Its bookings follow new times and a new address. The capacity stays at or above the ' +
      'booked places. A canceled slot cannot change.',
    problems: ['already_exists', 'forbidden', 'invalid_state'],
    tool: {
      description:
        'Changes the times, the lecturer or the capacity of a slot; its bookings follow. Use it to move a whole session; ' +
        'move_booking moves one student.',
    },
  })
  update({
    principal,
    parent_id: consulting_service_id,
    body,
    tx,
    ...key
  }: ChangeRequest<SlotPatch> & OfParent): Promise<Written<Slot>> {
    return this.slots.patch(principal, { ...key, consulting_service_id }, body, tx);
  }

  @Action('cancelConsultingSlot', 'cancel', {
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
  })
  cancel({
    principal,
    parent_id: consulting_service_id,
    tx,
    ...key
  }: ChangeRequest & OfParent): Promise<Written<Slot>> {
    return this.slots.cancel(principal, { ...key, consulting_service_id }, tx);
  }
}
