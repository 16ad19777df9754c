import { collectionModule } from '@lyceum/collections';
import { WebhookEndpointModule } from '#src/webhook-endpoints/webhook-endpoint.module.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { webhookDeliveryCollection } from './webhook-delivery.operations.js';
import { WebhookDeliveryService } from './webhook-delivery.service.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';

export const WebhookDeliveryModule = collectionModule({
  imports: [WebhookEndpointModule],
  operations: [webhookDeliveryCollection],
  services: [WebhookDeliveryService, WebhookQueueRepository],
  entities: [WebhookDelivery],
});
