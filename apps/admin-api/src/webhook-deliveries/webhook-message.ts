import { instantOut } from '@lyceum/rest';
import type { Webhook } from '@lyceum/rest';
import { z } from 'zod';
import { dataOf, exampleOf, objectOf, pascal } from '#src/changes/public-event-data.js';
import { PUBLIC_EVENT_TYPES, declarationOf } from '#src/changes/public-event-types.js';
import type { PublicEventType } from '#src/changes/public-event-types.js';

/** The type of a test message. No event causes it. */
export const TEST_TYPE = 'webhook.test';

export const WEBHOOK_TEXT = 'Messages that the service sends to the webhook endpoints of the site.';

const AT = '2026-11-20T08:00:00.000Z';
const ENDPOINT = '019ab3c1-1a2b-7c3d-8e4f-5a6b7c8d9e0f';

interface Event {
  readonly event_type: string;
  /** RFC 3339 */
  readonly occurred_at: string;
  readonly object_id: string | null;
  readonly data: unknown;
}

/**
 * The body has the members of Standard Webhooks, and `object_id` as the feed of changes. It is equal at each attempt,
 * because PostgreSQL keeps the order of the members of `data`.
 */
export function bodyOf({ event_type: type, occurred_at: timestamp, object_id, data }: Event): string {
  return JSON.stringify({ type, timestamp, object_id, data });
}

const timestamp = instantOut.meta({ description: 'When the object changed, equal at each attempt' });
const object_id = z.uuid().meta({ description: 'Id of the object that changed' });

function webhookOf(type: PublicEventType): Webhook {
  const { description, scope } = declarationOf(type);
  const name = pascal(type);
  const example = { type, timestamp: AT, object_id: '019ab3c0-1b2c-7d3e-8f4a-5b6c7d8e9f01', data: exampleOf(type) };
  return {
    type,
    id: `on${name}`,
    summary: type,
    description: `${description}. An endpoint with this type needs the scope \`${scope}\`.`,
    schema: z
      .object({ type: z.literal(type), timestamp, object_id, data: dataOf(objectOf(type)) })
      .meta({ id: `${name}Message`, examples: [example] }),
  };
}

const TEST: Webhook = {
  type: TEST_TYPE,
  id: 'onWebhookTest',
  summary: TEST_TYPE,
  description: 'A test that `createWebhookDelivery` sends to one endpoint, which needs no type for it.',
  schema: z
    .object({
      type: z.literal(TEST_TYPE),
      timestamp: instantOut,
      object_id: z.null(),
      data: z.object({ webhook_endpoint_id: z.uuid() }),
    })
    .meta({
      id: 'WebhookTestMessage',
      examples: [{ type: TEST_TYPE, timestamp: AT, object_id: null, data: { webhook_endpoint_id: ENDPOINT } }],
    }),
};

/** The messages of all types. `bodyOf` writes them. */
export const WEBHOOKS: readonly Webhook[] = [...PUBLIC_EVENT_TYPES.map(webhookOf), TEST];
