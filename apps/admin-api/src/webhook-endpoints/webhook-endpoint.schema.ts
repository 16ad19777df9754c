import { editable, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { WEBHOOK_ENDPOINT_REASONS, WEBHOOK_ENDPOINT_STATES } from '@lyceum/contracts';
import { externalId, instantOut, metadata, text } from '@lyceum/rest';
import { z } from 'zod';
import { PUBLIC_EVENT_TYPES } from '#src/changes/public-event-types.js';

const EXAMPLE = {
  id: '019ab3c1-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  url: 'https://crm.example.com/hooks/lyceum',
  description: 'Orders to the CRM',
  event_types: ['order.paid', 'order.refunded'],
  state: 'enabled',
  reason: null,
  created_by: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  client_id: 'crm',
  secret: null,
  previous_secret_until: null,
  external_id: null,
  metadata: {},
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const url = z.url({ protocol: /^https?$/, error: 'An https URL is needed' }).max(2048);

const eventTypes = z
  .array(z.enum(PUBLIC_EVENT_TYPES))
  .min(1)
  .max(PUBLIC_EVENT_TYPES.length)
  .refine((list) => new Set(list).size === list.length, 'A type occurs twice');

export const webhookEndpoint = resource('WebhookEndpoint', {
  one: 'webhook endpoint',
  fields: {
    url: editable(
      url.meta({ description: 'https URL that receives the events. It must resolve to public addresses only.' }),
    ),
    description: editable(text(200).nullable(), null),
    event_types: editable(
      eventTypes.meta({ description: 'Types of events. Each needs the read scope of its object.' }),
    ),
    state: readOnly(z.enum(WEBHOOK_ENDPOINT_STATES)),
    reason: readOnly(
      z
        .enum(WEBHOOK_ENDPOINT_REASONS)
        .nullable()
        .meta({
          description:
            'Why it receives nothing. disabled: requested, gone (it answered 410), failing (five days of failures). ' +
            'paused, or disabled before: creator_lost_access (the creator is no active owner or admin), client_deleted; ' +
            'these need a claim',
        }),
    ),
    created_by: readOnly(z.uuid().meta({ description: 'Member whose access the endpoint needs' })),
    client_id: readOnly(z.string().meta({ description: 'Client by which that member created or claimed it' })),
    secret: readOnly(
      z
        .string()
        .nullable()
        .meta({
          description:
            'Key of the signatures (`whsec_…`), only in the first response to the creation and to a rotation; otherwise ' +
            'null, also in the response to a repeated idempotency key',
        }),
    ),
    previous_secret_until: readOnly(
      instantOut.nullable().meta({ description: 'Until then deliveries are signed with the previous secret too' }),
    ),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  details: ['secret'],
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { state: z.enum(WEBHOOK_ENDPOINT_STATES), external_id: externalId },
  examples: {
    object: EXAMPLE,
    create: { url: EXAMPLE.url, event_types: EXAMPLE.event_types },
    patch: { event_types: ['order.paid'] },
  },
});
export type WebhookEndpointCreate = CreateOf<typeof webhookEndpoint>;
export type WebhookEndpointPatch = PatchOf<typeof webhookEndpoint>;
export type WebhookEndpointListQuery = ListQueryOf<typeof webhookEndpoint>;
