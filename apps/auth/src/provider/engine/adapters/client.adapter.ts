import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { OAuthClient } from '#src/clients/client.js';
import type { ClientsService } from '#src/clients/clients.service.js';
import { isNative, usableRedirectUris } from '#src/clients/redirect-uri.policy.js';
import { currentContext } from '../engine.internals.js';
import { knownClient } from '../known-rows.js';
import type { SiteRecord } from '#src/sites/site.js';
import { modelAdapter } from './model-adapter.js';

/** Custom members of the engine's client metadata. */
export const CLIENT_PROPERTIES = [
  'x_client_key',
  'x_audience',
  'x_source',
  'x_confidential',
  'x_compatibility',
] as const;

/** A client as metadata of the engine. `scope` is its allow-list: without it the engine would allow everything. */
export function clientMetadata(
  client: OAuthClient,
): AdapterPayload & Record<(typeof CLIENT_PROPERTIES)[number], string | boolean> {
  return {
    client_id: client.client_id,
    client_name: client.name,
    redirect_uris: [...usableRedirectUris(client.redirect_uris)],
    application_type: isNative(client.redirect_uris) ? 'native' : 'web',
    scope: client.scopes.join(' '),
    x_client_key: client.client_key,
    x_audience: client.audience,
    x_source: client.source,
    x_confidential: client.secret_hash !== null,
    x_compatibility: client.compatibility_mode,
  };
}

export function clientAdapter(site: SiteRecord, clients: ClientsService): Adapter {
  return modelAdapter({
    async find(id) {
      const known = knownClient(currentContext()?.req, id);
      const client = known ?? (await clients.atSite(id, site.site_id));
      return client && clientMetadata(client);
    },
  });
}
