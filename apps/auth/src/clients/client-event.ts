import type { clientEvents } from '@lyceum/contracts';
import type { NewEvent } from '@lyceum/messaging';
import type { OAuthClient } from './client.js';

/** Contains no proof of the client's identity. */
export function toEvent(client: OAuthClient, state: 'active' | 'deleted'): NewEvent<typeof clientEvents> {
  const { client_key, client_id, site_id, audience, source, redirect_uris, scopes, review, version } = client;
  const confidential = client.secret_hash !== null;
  const described = { client_key, client_id, site_id, name: client.name, audience, source, confidential };
  return {
    aggregate_id: client_key,
    aggregate_version: version,
    site_id,
    data: { ...described, redirect_uris: [...redirect_uris], scopes: [...scopes], review, state },
  };
}
