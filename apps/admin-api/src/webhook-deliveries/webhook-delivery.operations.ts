import { Action, Collection, Create, Get, List } from '@lyceum/collections';
import type { ChangeRequest, CreateRequest, Created, ListRequest, ObjectRequest, Written } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { WebhookDelivery } from './webhook-delivery.entity.js';
import { webhookDelivery } from './webhook-delivery.schema.js';
import type { WebhookDeliveryCreate, WebhookDeliveryListQuery } from './webhook-delivery.schema.js';
import { WebhookDeliveryService } from './webhook-delivery.service.js';

const ROLE = 'Needs the role owner or admin.';

@Collection<WebhookDelivery>({
  name: 'webhook_deliveries',
  scope: 'school',
  resource: webhookDelivery,
  etag: ({ version }) => rowTag(version),
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
})
@Injectable()
export class WebhookDeliveryOperations {
  constructor(private readonly deliveries: WebhookDeliveryService) {}

  @List('listWebhookDeliveries', {
    summary: 'List webhook deliveries',
    description: `Returns the deliveries of the last 30 days, newest first, without the data of their events. ${ROLE}`,
    problems: ['forbidden'],
    tool: {
      description: 'Lists webhook deliveries of the last 30 days. Use it to see why a receiver gets no events.',
    },
  })
  list({ principal, query }: ListRequest<WebhookDeliveryListQuery>): Promise<Page<WebhookDelivery>> {
    return this.deliveries.list(principal, query);
  }

  @Get('getWebhookDelivery', {
    summary: 'Get a webhook delivery',
    description: `Returns the last attempt of a delivery, and when the next one is. ${ROLE}`,
    problems: ['forbidden'],
  })
  get({ principal, id }: ObjectRequest): Promise<WebhookDelivery> {
    return this.deliveries.get(principal, id);
  }

  @Create('createWebhookDelivery', {
    summary: 'Send a test delivery',
    description:
      'Sends an event of the type `webhook.test` to an enabled endpoint, with the retries of any other delivery. Read ' +
      `the delivery for its result. ${ROLE}`,
    problems: ['forbidden', 'invalid_state'],
    tool: {
      description:
        'Sends a test event to a webhook endpoint. Use it to check a receiver; list_webhook_deliveries has the result.',
    },
  })
  create({ principal, body, tx }: CreateRequest<WebhookDeliveryCreate>): Promise<Created<WebhookDelivery>> {
    return this.deliveries.create(principal, body, tx);
  }

  @Action('redeliverWebhook', 'redeliver', {
    summary: 'Redeliver an event',
    description:
      'Sends a delivery that has ended again, with the same `webhook-id`, to an enabled endpoint. A pending delivery ' +
      `stays as it is. ${ROLE}`,
    problems: ['forbidden', 'invalid_state'],
    tool: {
      description: 'Sends a webhook delivery that has ended again. Use it after its receiver was repaired.',
    },
  })
  redeliver({ principal, tx, ...key }: ChangeRequest): Promise<Written<WebhookDelivery>> {
    return this.deliveries.redeliver(principal, key, tx);
  }
}
