import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { externalId, httpsUrl, idIn, instant, metadata, text } from '@lyceum/rest';
import { z } from 'zod';
import { SLOT_STATES } from './slot.policy.js';

const EXAMPLE = {
  id: '019ab3d0-2b20-7b22-9c33-4d44e55f6600',
  consulting_service_id: '019ab3d0-1a10-7a11-8b22-3c33d44e5500',
  lecturer_id: '019ab3c0-ab40-7c5d-8e6f-3a4b5c6d7e80',
  starts_at: '2027-05-09T11:00:00.000Z',
  ends_at: '2027-05-09T12:00:00.000Z',
  capacity: 1,
  booked_count: 1,
  state: 'open',
  location: null,
  join_url: 'https://meet.example/one-to-one',
  external_id: 'one-to-one-1',
  metadata: {},
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const slot = resource('ConsultingSlot', {
  one: 'slot',
  fields: {
    consulting_service_id: readOnly(z.uuid()),
    lecturer_id: editable(
      idIn.nullable().meta({ description: 'A lecturer of the service; null chooses the first one' }),
      null,
    ),
    starts_at: editable(instant.meta({ description: 'When the session starts' })),
    ends_at: editable(
      instant.nullable().meta({ description: 'At most 24 hours later; null: after the length of a session' }),
      null,
    ),
    capacity: editable(z.int().min(1).max(1000).meta({ description: 'Places; more than 1 for a group' }), 1),
    booked_count: readOnly(z.int().min(0).meta({ description: 'Booked places, exact' })),
    state: readOnly(z.enum(SLOT_STATES)),
    location: editable(text(300).nullable().meta({ description: 'Where to come; null: as the service says' }), null),
    join_url: editable(
      httpsUrl.nullable().meta({ description: 'Where members join; null at creation: the address of the service' }),
      null,
    ),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  sorts: ['starts_at', '-created_at', '-updated_at'],
  ranges: ['starts_at', 'created_at', 'updated_at'],
  filters: {
    state: z.enum(SLOT_STATES),
    lecturer_id: idIn.meta({ description: 'Only slots of this lecturer' }),
    external_id: externalId,
  },
  examples: {
    object: EXAMPLE,
    create: { starts_at: '2027-05-09T11:00:00Z' },
    patch: { starts_at: '2027-05-09T13:00:00Z', ends_at: '2027-05-09T14:00:00Z', capacity: 3 },
  },
});
export type SlotCreate = CreateOf<typeof slot>;
export type SlotPatch = PatchOf<typeof slot>;
export type SlotListQuery = ListQueryOf<typeof slot>;
