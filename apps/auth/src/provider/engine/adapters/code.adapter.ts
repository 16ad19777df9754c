import { errors } from 'oidc-provider';
import type { Adapter } from 'oidc-provider';
import type { SiteRecord } from '#src/sites/site.js';
import type { CodesRepository } from '../../browser-state/codes.repository.js';
import { modelAdapter } from './model-adapter.js';

export function codeAdapter(site: SiteRecord, codes: CodesRepository): Adapter {
  return modelAdapter({
    async upsert(id, { jti: _id, ...payload }) {
      if (await codes.insert(site.site_id, id, payload)) return;
      throw new errors.AccessDenied('the grant was revoked in the meantime');
    },
  });
}
