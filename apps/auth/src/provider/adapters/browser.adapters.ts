import Provider from 'oidc-provider';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { ENDPOINTS } from '#src/metadata/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { BrowserRepository } from '../browser.repository.js';
import { mayResume } from '../answer-proof.js';
import { modelAdapter } from './model-adapter.js';

const now = (): number => Math.floor(Date.now() / 1000);
const expiry = (payload: AdapterPayload, lifetime: number | undefined): number =>
  payload.exp ?? now() + (lifetime ?? 0);

export function sessionAdapter(site: SiteRecord, browser: BrowserRepository): Adapter {
  return modelAdapter({
    upsert: (id, { jti: _id, ...payload }, lifetime) =>
      browser.saveSession(site.site_id, id, payload, expiry(payload, lifetime)),
    async find(id) {
      const payload = await browser.session(site.site_id, id);
      return payload && { ...payload, jti: id };
    },
    // The cookie is not known here and the engine does not need it: it only compares accounts.
    findByUid: (uid) => browser.sessionByUid(site.site_id, uid),
    destroy: (id) => browser.endSession(site.site_id, id),
  });
}

/** The address to return to and the session's cookie would repeat what is stored as a digest: both are left out. */
function withoutSecrets({ jti: _id, returnTo: _address, ...payload }: AdapterPayload): AdapterPayload {
  if (payload.session === undefined) return payload;
  const { cookie: _cookie, ...session } = payload.session;
  return { ...payload, session };
}

export function interactionAdapter(site: SiteRecord, browser: BrowserRepository): Adapter {
  return modelAdapter({
    upsert: (id, payload, lifetime) =>
      browser.saveInteraction(site.site_id, id, withoutSecrets(payload), expiry(payload, lifetime)),
    async find(id) {
      const payload = await browser.interaction(site.site_id, id);
      if (payload === undefined || !mayResume(payload, Provider.ctx)) return undefined;
      return { ...payload, jti: id, returnTo: `${site.base_url}${ENDPOINTS.authorization}/${id}` };
    },
    destroy: (id) => browser.endInteraction(site.site_id, id),
  });
}
