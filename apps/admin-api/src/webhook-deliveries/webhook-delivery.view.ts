import type { Reader } from '@lyceum/collections';
import { iso } from '@lyceum/rest';
import { PUBLIC_EVENTS, isPublicEventType } from '#src/changes/public-event-types.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';
import { TEST_TYPE, bodyOf } from './webhook-message.js';

/** The bodies of a delivery. A receiver can repeat the request, so both need the read scope of the event type. */
export const bodiesView = {
  request_body: (row: WebhookDelivery, reader: Reader): string | null =>
    readsBodies(row, reader) ? requestOf(row) : null,
  response_body: (row: WebhookDelivery, reader: Reader): string | null =>
    readsBodies(row, reader) ? row.response_body : null,
};

/** Returns true for a caller with the read scope of the event type. The event of a test needs none. */
export function readsBodies({ event_type }: WebhookDelivery, reader: Reader): boolean {
  if (event_type === TEST_TYPE) return true;
  return isPublicEventType(event_type) && reader?.scopes.includes(PUBLIC_EVENTS[event_type].scope) === true;
}

function requestOf({ event_type, occurred_at, object_id, data }: WebhookDelivery): string {
  return bodyOf({ event_type, occurred_at: iso(occurred_at), object_id, data });
}
