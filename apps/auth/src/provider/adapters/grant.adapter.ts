import Provider from 'oidc-provider';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { RevocationReason } from '#src/audit/audit-entry.js';
import type { GrantsService } from '#src/grants/grants.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { modelAdapter } from './model-adapter.js';

/** The engine destroys grants for three reasons, and tells them apart only by the request that it is serving. */
function reason(): RevocationReason {
  const oidc = Provider.ctx?.oidc;
  if (oidc?.route === 'revocation') return 'revoked_by_client';
  if (oidc?.route !== 'token') return 'engine';
  return oidc.params?.['grant_type'] === 'refresh_token' ? 'refresh_token_reused' : 'code_replayed';
}

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
    destroy: (id) => grants.revoke(site.site_id, id, reason()),
  });
}
