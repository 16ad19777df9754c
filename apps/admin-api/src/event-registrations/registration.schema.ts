import { editable, fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { externalId, idIn, instantOut, metadata } from '@lyceum/rest';
import { z } from 'zod';
import { OPERATOR_SOURCES, REGISTRATION_SOURCES, REGISTRATION_STATES } from './registration.policy.js';

const EXAMPLE = {
  id: '019ab3d0-5e50-7e55-8f66-7a77b88c9900',
  event_id: '019ab3c0-a310-7b4c-9d5e-2f3a4b5c6d70',
  ticket_id: '019ab3c0-a320-7b4c-9d5e-2f3a4b5c6d71',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  state: 'registered',
  source: 'order',
  order_id: '019ab3d0-7e70-7f77-8a88-9b99c00d1100',
  registered_at: '2026-11-20T08:00:00.000Z',
  checked_in_at: null,
  canceled_at: null,
  external_id: null,
  metadata: {},
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const eventRegistration = resource('EventRegistration', {
  one: 'registration',
  memberType: 'EventRegistration',
  fields: {
    event_id: readOnly(z.uuid()),
    ticket_id: fixed(
      idIn.nullable().meta({ description: 'A ticket of the event; null if the event has no tickets' }),
      null,
    ),
    student_id: fixed(idIn.meta({ description: 'The student who takes part' })),
    member_id: readOnly(z.uuid().nullable().meta({ description: 'The member who is the student' })),
    state: readOnly(z.enum(REGISTRATION_STATES)),
    source: fixed(z.enum(REGISTRATION_SOURCES).meta({ description: 'How the registration came about' }), 'manual'),
    order_id: readOnly(z.uuid().nullable().meta({ description: 'The order that paid for it' })),
    registered_at: readOnly(instantOut.meta({ description: 'Orders the waiting list' })),
    checked_in_at: readOnly(instantOut.nullable()),
    canceled_at: readOnly(instantOut.nullable()),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  create: {
    source: z
      .enum(OPERATOR_SOURCES)
      .default('manual')
      .meta({ description: 'How the registration came about; only the service itself sets `order`' }),
  },
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: {
    state: z.enum(REGISTRATION_STATES),
    student_id: idIn.meta({ description: 'Only registrations of this student' }),
    ticket_id: idIn.meta({ description: 'Only registrations with this ticket' }),
    external_id: externalId,
  },
  examples: {
    object: EXAMPLE,
    create: { student_id: EXAMPLE.student_id, ticket_id: EXAMPLE.ticket_id },
    patch: { external_id: 'badge-17' },
  },
});
export type RegistrationCreate = CreateOf<typeof eventRegistration>;
export type RegistrationPatch = PatchOf<typeof eventRegistration>;
export type RegistrationListQuery = ListQueryOf<typeof eventRegistration>;
