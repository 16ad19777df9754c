import type { z } from 'zod';
import type { Json } from './json.js';
import type { Schemas } from './schemas.js';

/** A message that the service sends to a URL of an operator. */
export interface Webhook {
  /** Such as `order.paid`. */
  readonly type: string;
  /** `operationId`. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: z.ZodType;
}

/** The tag of all messages. */
export const WEBHOOK_TAG = 'webhooks';

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** Headers of a message (Standard Webhooks). */
export const WEBHOOK_HEADERS: Json = {
  WebhookId: header(
    'webhook-id',
    'Id of the event, equal at each attempt: a receiver that remembers it processes an event once',
    '019ab3c1-3c4d-7e5f-8061-7c8d9e0f1a2b',
  ),
  WebhookTimestamp: header('webhook-timestamp', 'Seconds since 1970 at this attempt', '1795161600'),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under the secret of the endpoint, in ' +
      'Base64. After a rotation also the one under the previous secret, separated by a space',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

const RESPONSES: Json = {
  '2XX': { description: 'The message was received' },
  410: { description: 'Disables the endpoint, which receives no further messages' },
  default: {
    description:
      'Any other status, also a redirect, and no response within 15 seconds: the message is sent again later. ' +
      '`Retry-After` of a 429 or 503 delays all messages of the endpoint',
  },
};

/** The `webhooks` of an OpenAPI document. */
export function webhooksOf(webhooks: readonly Webhook[], schemas: Schemas): Json {
  return Object.fromEntries(
    webhooks.map(({ type, id, summary, description, schema }) => [
      type,
      {
        post: {
          operationId: id,
          summary,
          description,
          tags: [WEBHOOK_TAG],
          // The signature takes the place of a token.
          security: [],
          parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: { required: true, content: { 'application/json': schemas.media(schema, 'output') } },
          responses: RESPONSES,
        },
      },
    ]),
  );
}
