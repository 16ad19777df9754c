import { editable, fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { externalId, idIn, instant, instantOut, metadata } from '@lyceum/rest';
import { z } from 'zod';
import { PURCHASE_STATES } from './consulting-purchase.policy.js';

const MAX_SESSIONS = 10_000;

const EXAMPLE = {
  id: '019ab3d0-3c30-7c33-8d44-5e55f66a7700',
  consulting_service_id: '019ab3d0-1a10-7a11-8b22-3c33d44e5500',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  state: 'active',
  purchased_at: '2026-11-20T08:00:00.000Z',
  expires_at: null,
  sessions_total: 3,
  sessions_used: 1,
  sessions_remaining: 2,
  external_id: 'one-to-one-learner-1',
  metadata: {},
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const sessions = z.int().min(1).max(MAX_SESSIONS);
const expires = instant.nullable();

export const consultingPurchase = resource('ConsultingPurchase', {
  one: 'purchase',
  memberType: 'PurchasedConsultingService',
  fields: {
    consulting_service_id: readOnly(z.uuid()),
    student_id: fixed(idIn.meta({ description: 'The student who has the sessions' })),
    state: readOnly(z.enum(PURCHASE_STATES)),
    purchased_at: readOnly(instantOut),
    expires_at: editable(
      expires.meta({ description: 'Until when sessions can be booked; null: no end. A booked session stays' }),
      null,
    ),
    sessions_total: editable(sessions.meta({ description: 'Sessions in all, not below those that are used' }), 1),
    sessions_used: readOnly(
      z.int().min(0).meta({ description: 'Booked, held and missed sessions, and those that were canceled too late' }),
    ),
    sessions_remaining: readOnly(z.int().min(0)),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  create: {
    expires_at: expires.optional().meta({ description: 'Without it, as the service says; null: no end' }),
    sessions_total: sessions.optional().meta({ description: 'Without it, as the service says' }),
  },
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: {
    student_id: idIn.meta({ description: 'Only purchases of this student' }),
    external_id: externalId,
  },
  examples: {
    object: EXAMPLE,
    create: { student_id: EXAMPLE.student_id },
    patch: { sessions_total: 5, expires_at: '2027-12-31T00:00:00Z' },
  },
});
export type ConsultingPurchaseCreate = CreateOf<typeof consultingPurchase>;
export type ConsultingPurchasePatch = PatchOf<typeof consultingPurchase>;
export type ConsultingPurchaseListQuery = ListQueryOf<typeof consultingPurchase>;
