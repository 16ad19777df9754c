import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { OAuthClient } from '#src/clients/client.js';
import type { ClientsService } from '#src/clients/clients.service.js';
import { isNative } from '#src/clients/redirect-uri.policy.js';
import type { SiteRecord } from '#src/sites/site.js';
import { modelAdapter } from './model-adapter.js';

/** A client as the engine's metadata. `scope` is its allow-list: without it the engine would allow everything. */
export function clientMetadata(
  client: OAuthClient,
): AdapterPayload & { x_client_key: string; x_audience: string; x_source: string } {
  return {
    client_id: client.client_id,
    client_name: client.name,
    redirect_uris: [...client.redirect_uris],
    application_type: isNative(client.redirect_uris) ? 'native' : 'web',
    scope: client.scopes.join(' '),
    x_client_key: client.client_key,
    x_audience: client.audience,
    x_source: client.source,
  };
}

export function clientAdapter(site: SiteRecord, clients: ClientsService): Adapter {
  return modelAdapter({
    async find(id) {
      const client = await clients.atSite(id, site.site_id);
      return client && clientMetadata(client);
    },
  });
}
