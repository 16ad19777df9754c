import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { webhookDelivery } from './webhook-delivery.schema.js';
import { WebhookDeliveryService } from './webhook-delivery.service.js';
import { bodiesView, readsBodies } from './webhook-delivery.view.js';

const ROLE = 'Needs the role owner or admin.';

export const webhookDeliveryCollection = collection({
  name: 'webhook_deliveries',
  scope: 'school',
  service: WebhookDeliveryService,
  row: WebhookDelivery,
  resource: webhookDelivery,
  view: bodiesView,
  // Readers with and without the bodies get different tags.
  etag: (row, reader) => rowTag(row.version, Number(readsBodies(row, reader))),
  personal: true,
  toolItem: [
    'id',
    'endpoint_id',
    'event_type',
    'state',
    'attempts',
    'due_at',
    'response_status',
    'error',
    'created_at',
  ],
  operations: {
    list: {
      id: 'listWebhookDeliveries',
      summary: 'List webhook deliveries',
      description: `Returns the deliveries of the last 30 days, newest first, without their bodies. ${ROLE}`,
      problems: ['forbidden'],
      tool: {
        description: 'Lists webhook deliveries of the last 30 days. Use it to see why a receiver gets no events.',
      },
      run: (deliveries, { principal, query }) => deliveries.list(principal, query),
    },
    get: {
      id: 'getWebhookDelivery',
      summary: 'Get a webhook delivery',
      description:
        'Returns the last attempt of a delivery with its bodies, and when the next one is. The bodies need the read scope ' +
        `of the event type, too. ${ROLE}`,
      problems: ['forbidden'],
      tool: {
        description:
          'Gets a webhook delivery with the bodies of its last request and response. Use it to see why a receiver refuses ' +
          'an event.',
      },
      run: (deliveries, { principal, id }) => deliveries.get(principal, id),
    },
    create: {
      id: 'createWebhookDelivery',
      summary: 'Send a test delivery',
      description:
        'Sends an event of the type `webhook.test` to an enabled endpoint, with the retries of any other delivery. Read ' +
        `the delivery for its result. ${ROLE}`,
      problems: ['forbidden', 'invalid_state'],
      tool: {
        description:
          'Sends a test event to a webhook endpoint. Use it to check a receiver; list_webhook_deliveries has the result.',
      },
      run: (deliveries, { principal, body, tx }) => deliveries.create(principal, body, tx),
    },
    actions: {
      redeliver: {
        id: 'redeliverWebhook',
        summary: 'Redeliver an event',
        description:
          'Sends a delivery that has ended again, with the same `webhook-id`, to an enabled endpoint. A pending delivery ' +
          `stays as it is. The caller needs the read scope of the event type. ${ROLE}`,
        repeats: true,
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Sends a webhook delivery that has ended again. Use it after its receiver was repaired; each call sends it, ' +
            'unless it has the idempotency_key of an earlier one.',
        },
        run: (deliveries, { principal, tx, ...key }) => deliveries.redeliver(principal, key, tx),
      },
    },
  },
});
