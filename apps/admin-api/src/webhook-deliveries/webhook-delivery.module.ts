import { collectionModule } from '@lyceum/collections';
import { MemberModule } from '#src/members/member.module.js';
import { WebhookEndpointModule } from '#src/webhook-endpoints/webhook-endpoint.module.js';
import { webhookDeliveryCollection } from './webhook-delivery.operations.js';
import { WebhookDeliveryService } from './webhook-delivery.service.js';
import { WebhookErasureRepository } from './webhook-erasure.repository.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';

export const WebhookDeliveryModule = collectionModule({
  imports: [WebhookEndpointModule, MemberModule],
  operations: [webhookDeliveryCollection],
  services: [WebhookDeliveryService, WebhookQueueRepository, WebhookErasureRepository],
});
