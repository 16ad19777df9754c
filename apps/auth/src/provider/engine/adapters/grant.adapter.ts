import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { GrantsService } from '#src/grants/grants.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { currentContext } from '../engine.internals.js';
import { knownGrant } from '../known-rows.js';
import { modelAdapter } from './model-adapter.js';

export function grantAdapter(site: SiteRecord, grants: GrantsService): Adapter {
  return modelAdapter({
    async find(id) {
      const known = knownGrant(currentContext()?.req, id);
      if (known !== undefined) return known;
      const payload = (await grants.find(site.site_id, id)) as AdapterPayload | undefined;
      return payload && { ...payload, jti: id };
    },
  });
}
