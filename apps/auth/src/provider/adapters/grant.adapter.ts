import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { GrantsService } from '#src/grants/grants.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { modelAdapter } from './model-adapter.js';

export function grantAdapter(site: SiteRecord, grants: GrantsService): Adapter {
  return modelAdapter({
    async upsert(id, { jti: _id, ...payload }) {
      const { accountId, clientId, exp } = payload;
      if (accountId === undefined || clientId === undefined || exp === undefined) {
        throw new Error('A grant without person, client or expiry');
      }
      const written = await grants.save({
        grant_id: id,
        site_id: site.site_id,
        person_id: accountId,
        client_id: clientId,
        payload,
        expires_at: exp,
      });
      if (!written) throw new Error('The client of the grant is gone');
    },
    async find(id) {
      const payload = (await grants.find(site.site_id, id)) as AdapterPayload | undefined;
      return payload && { ...payload, jti: id };
    },
  });
}
