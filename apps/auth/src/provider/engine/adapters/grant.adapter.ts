import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { GrantsService } from '#src/grants/grants.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { modelAdapter } from './model-adapter.js';

export function grantAdapter(site: SiteRecord, grants: GrantsService): Adapter {
  return modelAdapter({
    async find(id) {
      const payload = (await grants.find(site.site_id, id)) as AdapterPayload | undefined;
      return payload && { ...payload, jti: id };
    },
  });
}
