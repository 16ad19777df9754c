import { z } from 'zod';
import { defineEntityEvents } from '../platform/event.js';

export const WEBHOOK_ENDPOINT_STATES = ['enabled', 'disabled', 'paused'] as const;
/** Why an endpoint receives nothing. */
export const WEBHOOK_ENDPOINT_REASONS = [
  'requested',
  'gone',
  'failing',
  'creator_lost_access',
  'client_deleted',
] as const;
export const WEBHOOK_DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const;

/** A URL that receives the events of a site, without its secrets. */
export const webhookEndpointEvents = defineEntityEvents({
  context: 'school',
  entity: 'webhook_endpoint',
  version: 1,
  names: [
    'created',
    'updated',
    'enabled',
    'disabled',
    'paused',
    'claimed',
    'secret_rotated',
    'tested',
    'redelivered',
    'deleted',
    'republished',
  ],
  data: z.object({
    webhook_endpoint_id: z.uuid(),
    site_id: z.uuid(),
    url: z.string(),
    event_types: z.array(z.string()),
    state: z.enum([...WEBHOOK_ENDPOINT_STATES, 'deleted']),
    reason: z.enum(WEBHOOK_ENDPOINT_REASONS).nullable(),
    /** Id of the member whose rights the endpoint has. */
    created_by: z.uuid(),
  }),
});
