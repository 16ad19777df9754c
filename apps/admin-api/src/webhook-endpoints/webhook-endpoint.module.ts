import { collectionModule } from '@lyceum/collections';
import { MemberModule } from '#src/members/member.module.js';
import { SecretReEncryption } from './secret-re-encryption.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { webhookEndpointCollection } from './webhook-endpoint.operations.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

export const WebhookEndpointModule = collectionModule({
  imports: [MemberModule],
  operations: [webhookEndpointCollection],
  providers: [SecretReEncryption, WebhookEndpointRepository],
  entities: [WebhookEndpoint],
});
