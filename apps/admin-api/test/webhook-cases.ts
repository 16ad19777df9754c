import type { Cases, Json } from '@lyceum/collections/conventions';
import { ADMINISTRATORS } from './unfenced.js';

const endpoint = (unique: string): Json => ({
  url: `https://receiver.example.com/${unique}`,
  event_types: ['order.paid'],
  external_id: unique,
});

const SCOPES = { read: 'school:read', write: 'school:write' } as const;

export const webhookCases: Readonly<Record<string, Cases>> = {
  webhook_endpoints: {
    create: endpoint,
    patch: (unique) => ({ url: `https://receiver.example.com/${unique}/2`, event_types: ['order.refunded'] }),
    unique: ['external_id'],
    readOnly: ['state', 'reason', 'created_by', 'client_id', 'secret', 'previous_secret_until'],
    derived: ['created_by', 'client_id', 'secret', 'previous_secret_until'],
    states: {
      member: 'state',
      initial: 'enabled',
      moves: {
        enable: { enabled: 'enabled', disabled: 'enabled' },
        disable: { enabled: 'disabled', disabled: 'disabled' },
        claim: { enabled: 'enabled', disabled: 'disabled' },
        rotate_secret: { enabled: 'enabled', disabled: 'disabled' },
      },
    },
    filters: {
      state: [({ state }) => state, 'paused'],
      external_id: [({ external_id }) => external_id, 'none'],
    },
    scopes: {
      'GET /api/v1/webhook_endpoints': SCOPES.read,
      'GET /api/v1/webhook_endpoints/{id}': SCOPES.read,
      'POST /api/v1/webhook_endpoints': SCOPES.write,
      'PUT /api/v1/webhook_endpoints/by_external_id/{external_id}': SCOPES.write,
      'PATCH /api/v1/webhook_endpoints/{id}': SCOPES.write,
      'DELETE /api/v1/webhook_endpoints/{id}': SCOPES.write,
      'POST /api/v1/webhook_endpoints/{id}/enable': SCOPES.write,
      'POST /api/v1/webhook_endpoints/{id}/disable': SCOPES.write,
      'POST /api/v1/webhook_endpoints/{id}/claim': SCOPES.write,
      'POST /api/v1/webhook_endpoints/{id}/rotate_secret': SCOPES.write,
    },
    showsOnce: true,
    unfenced: ADMINISTRATORS,
    exempt: [
      // The types of events need scopes too, and only the first response shows the secret: webhook-endpoints.spec.ts.
      'needs the scope that the contract names: POST /api/v1/webhook_endpoints',
      'needs the scope that the contract names: PUT',
      'needs the scope that the contract names: PATCH',
      'returns the entity tag that the object has: POST /api/v1/webhook_endpoints',
      'returns the entity tag that the object has: PUT',
      'repeats the response of an idempotency key: POST /api/v1/webhook_endpoints',
      'repeats the response of an idempotency key: PUT',
      'answers 201 with the place of the object',
      'creates, then updates the object of an own key',
      // Each rotation makes a secret.
      'publishes nothing when nothing changes: POST /api/v1/webhook_endpoints/{id}/rotate_secret',
    ],
  },
  webhook_deliveries: {
    create: async (unique, other) => ({
      endpoint_id: (await other('/api/v1/webhook_endpoints', endpoint(unique)))['id'],
    }),
    references: ['endpoint_id'],
    unfenced: ADMINISTRATORS,
    personal: true,
    readOnly: [
      'event_id',
      'event_type',
      'object_id',
      'state',
      'attempts',
      'due_at',
      'attempted_at',
      'response_status',
      'response_ms',
      'error',
      'request_body',
      'response_body',
    ],
    derived: ['event_id', 'due_at', 'request_body'],
    distinct: ['event_id'],
    states: { member: 'state', initial: 'pending', moves: { redeliver: { pending: 'pending' } } },
    filters: {
      endpoint_id: [({ endpoint_id }) => endpoint_id, '019ab3c0-0000-7000-8000-000000000000'],
      state: [({ state }) => state, 'failed'],
    },
    scopes: {
      'GET /api/v1/webhook_deliveries': SCOPES.read,
      'GET /api/v1/webhook_deliveries/{id}': SCOPES.read,
      'POST /api/v1/webhook_deliveries': SCOPES.write,
      'POST /api/v1/webhook_deliveries/{id}/redeliver': SCOPES.write,
    },
    exempt: [
      // Each attempt changes a delivery, and an index by change would cost each of them.
      'sorts by creation and by change',
      'filters by time, own key and words',
      // A new delivery is pending, and stays so: webhook-deliveries.spec.ts redelivers one that has ended.
      'publishes exactly one event, and logs it once, with its actor: POST /api/v1/webhook_deliveries/{id}/redeliver',
      'answers a tool call as the REST API does: redeliver_webhook',
      // An attempt between both calls would change the delivery: webhook-bodies.spec.ts reads one that has ended.
      'answers a tool call as the REST API does: get_webhook_delivery',
    ],
  },
};
