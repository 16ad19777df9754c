import { editable, fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { externalId, idIn, instant, instantOut, metadata } from '@lyceum/rest';
import { z } from 'zod';
import { GRANT_SOURCES, GRANT_STATES } from './digital-product-grant.policy.js';

const EXAMPLE = {
  id: '019ab3d0-5d40-7d44-9e55-6f66a77b8800',
  digital_product_id: '019ab3c0-9b20-7a3b-8c4d-1e2f3a4b5c60',
  student_id: '019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50',
  state: 'active',
  source: 'manual',
  granted_at: '2026-11-20T08:00:00.000Z',
  expires_at: null,
  external_id: 'workbook-learner-1',
  metadata: {},
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const expires = instant.nullable();

export const digitalProductGrant = resource('DigitalProductPurchase', {
  one: 'purchase',
  memberType: 'PurchasedDigitalProduct',
  fields: {
    digital_product_id: readOnly(z.uuid()),
    student_id: fixed(idIn.meta({ description: 'The student who has the product' })),
    state: readOnly(z.enum(GRANT_STATES)),
    source: readOnly(
      z.enum(GRANT_SOURCES).meta({ description: 'Made by an order or by hand. Later orders can extend it' }),
    ),
    granted_at: readOnly(instantOut),
    expires_at: editable(expires.meta({ description: 'Until when the files can be downloaded; null: for life' }), null),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  create: {
    expires_at: expires.optional().meta({ description: 'Without it, as the product says; null: for life' }),
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
    patch: { expires_at: '2027-12-31T00:00:00Z' },
  },
});
export type DigitalProductGrantCreate = CreateOf<typeof digitalProductGrant>;
export type DigitalProductGrantPatch = PatchOf<typeof digitalProductGrant>;
export type DigitalProductGrantListQuery = ListQueryOf<typeof digitalProductGrant>;
