import { editable, fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { sharedId } from '@lyceum/contracts';
import { externalId, idIn, instantOut, metadata } from '@lyceum/rest';
import { z } from 'zod';
import { BOOKING_STATES } from './booking.policy.js';

const EXAMPLE = {
  id: '019ab3d0-4d40-7d44-9e55-6f66a77b8800',
  slot_id: '019ab3d0-2b20-7b22-9c33-4d44e55f6600',
  purchase_id: '019ab3d0-3c30-7c33-8d44-5e55f66a7700',
  consulting_service_id: '019ab3d0-1a10-7a11-8b22-3c33d44e5500',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  state: 'scheduled',
  starts_at: '2027-05-09T11:00:00.000Z',
  ends_at: '2027-05-09T12:00:00.000Z',
  canceled_at: null,
  session_returned: false,
  external_id: null,
  metadata: {},
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const booking = resource('ConsultingBooking', {
  one: 'booking',
  memberType: 'ConsultingBooking',
  fields: {
    slot_id: readOnly(z.uuid()),
    purchase_id: fixed(
      sharedId('PurchasedConsultingService').meta({
        description: 'A purchase of the service of the slot, with a session left',
      }),
    ),
    consulting_service_id: readOnly(z.uuid()),
    student_id: readOnly(z.uuid()),
    state: readOnly(z.enum(BOOKING_STATES)),
    starts_at: readOnly(instantOut.meta({ description: 'Start of the slot' })),
    ends_at: readOnly(instantOut.meta({ description: 'End of the slot' })),
    canceled_at: readOnly(instantOut.nullable()),
    session_returned: readOnly(
      z.boolean().meta({ description: 'The cancellation gave the session back to the purchase' }),
    ),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { state: z.enum(BOOKING_STATES), external_id: externalId },
  examples: {
    object: EXAMPLE,
    create: { purchase_id: EXAMPLE.purchase_id },
    patch: { external_id: 'call-17', metadata: { room: 'blue' } },
  },
});
export type BookingCreate = CreateOf<typeof booking>;
export type BookingPatch = PatchOf<typeof booking>;
export type BookingListQuery = ListQueryOf<typeof booking>;

/** The body of a move to another slot. */
export const bookingMove = z
  .strictObject({ to_slot_id: idIn.meta({ description: 'Another slot of the same consulting service' }) })
  .meta({ id: 'ConsultingBookingMove', examples: [{ to_slot_id: EXAMPLE.slot_id }] });
