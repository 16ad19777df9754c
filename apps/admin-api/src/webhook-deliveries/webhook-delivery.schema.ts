import { fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf } from '@lyceum/collections';
import { WEBHOOK_DELIVERY_STATES } from '@lyceum/contracts';
import { idIn, instantOut } from '@lyceum/rest';
import { z } from 'zod';

const EXAMPLE = {
  id: '019ab3c1-2b3c-7d4e-8f50-6b7c8d9e0f1a',
  endpoint_id: '019ab3c1-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  event_id: '019ab3c1-3c4d-7e5f-8061-7c8d9e0f1a2b',
  event_type: 'order.paid',
  object_id: '019ab3d0-9e90-7c93-8ea4-bf15f2617700',
  state: 'succeeded',
  attempts: 2,
  due_at: null,
  attempted_at: '2026-11-20T08:00:06.000Z',
  response_status: 204,
  response_ms: 81,
  error: null,
  request_body:
    '{"type":"order.paid","timestamp":"2026-11-20T08:00:00.000Z","object_id":"019ab3d0-9e90-7c93-8ea4-bf15f2617700",' +
    '"data":{"number":"A-1001","student_id":"019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50","state":"paid","currency":"TWD",' +
    '"total_minor":150000,"refunded_minor":0,"paid_at":"2026-11-20T08:00:00.000Z"}}',
  response_body: null,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:06.000Z',
} as const;

export const webhookDelivery = resource('WebhookDelivery', {
  one: 'webhook delivery',
  fields: {
    endpoint_id: fixed(idIn.meta({ description: 'Endpoint that receives the delivery' })),
    event_id: readOnly(z.uuid().meta({ description: '`webhook-id`, equal at each attempt and at every endpoint' })),
    event_type: readOnly(z.string().meta({ description: 'Such as `order.paid`; `webhook.test` for a test' })),
    object_id: readOnly(z.string().nullable().meta({ description: 'Object of the event; null for a test' })),
    state: readOnly(z.enum(WEBHOOK_DELIVERY_STATES).meta({ description: 'pending: the next attempt is at `due_at`' })),
    attempts: readOnly(z.int().min(0).meta({ description: 'Attempts so far, at most ten' })),
    due_at: readOnly(instantOut.nullable().meta({ description: 'Next attempt; null: the delivery has ended' })),
    attempted_at: readOnly(instantOut.nullable().meta({ description: 'Last attempt' })),
    response_status: readOnly(
      z.int().nullable().meta({ description: 'Status of the last response; null: no response' }),
    ),
    response_ms: readOnly(z.int().min(0).nullable().meta({ description: 'Duration of the last attempt' })),
    error: readOnly(z.string().nullable().meta({ description: 'Why the last attempt got no response' })),
    request_body: readOnly(
      z.string().nullable().meta({
        description: 'Body of each attempt; null for a caller without the read scope of the event type',
      }),
    ),
    response_body: readOnly(
      z
        .string()
        .nullable()
        .meta({
          description:
            'Beginning of the last response, at most 16 KiB of it, with `[secret]` in place of a secret of the endpoint; ' +
            'null: it was empty, none came, the caller lacks the read scope of the event type, or the removal of a ' +
            'member erased it',
        }),
    ),
  },
  details: ['request_body', 'response_body'],
  sorts: ['-created_at'],
  ranges: ['created_at'],
  filters: {
    endpoint_id: idIn.meta({ description: 'Only deliveries to this endpoint' }),
    state: z.enum(WEBHOOK_DELIVERY_STATES),
  },
  examples: { object: EXAMPLE, create: { endpoint_id: EXAMPLE.endpoint_id } },
});
export type WebhookDeliveryCreate = CreateOf<typeof webhookDelivery>;
export type WebhookDeliveryListQuery = ListQueryOf<typeof webhookDelivery>;
