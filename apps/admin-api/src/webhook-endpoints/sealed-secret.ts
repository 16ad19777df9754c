import { decrypt, encrypt } from '@lyceum/platform';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import type { WebhookSettings } from './webhook.settings.js';

type EndpointKey = Pick<WebhookEndpoint, 'site_id' | 'id'>;
type Keys = Pick<WebhookSettings, 'keys'>;

const contextOf = ({ site_id, id }: EndpointKey): string => `webhook\n${site_id}\n${id}`;

export function sealSecret({ keys }: Keys, endpoint: EndpointKey, secret: string): Buffer {
  return encrypt(keys, contextOf(endpoint), secret);
}

/** @throws for a secret of another endpoint, and for one that none of the keys encrypted */
export function openSecret({ keys }: Keys, endpoint: EndpointKey, sealed: Buffer): string {
  return decrypt(keys, contextOf(endpoint), sealed);
}
