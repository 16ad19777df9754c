import Provider, { errors } from 'oidc-provider';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { BrowserRepository, SavedSession } from '../browser.repository.js';
import { mayResume } from '../answer-proof.js';
import { freshSignIn, takeUp } from '../fresh-sign-in.js';
import { leaveCookies } from '../unsaved-session.js';
import { modelAdapter } from './model-adapter.js';

const now = (): number => Math.floor(Date.now() / 1000);
const expiry = (payload: AdapterPayload, lifetime: number | undefined): number =>
  payload.exp ?? now() + (lifetime ?? 0);

/**
 * The engine saves a session at the end of each request, whatever has become of it meanwhile. Only a sign-in begins one;
 * any other save is of a row that must still be there, so that an ended session stays ended.
 */
function saveSession(
  browser: BrowserRepository,
  session: SavedSession,
  accountId: string | undefined,
): Promise<boolean> {
  const { ctx } = Provider;
  if (accountId === undefined) return browser.saveAnonymousSession(session);
  const signIn = freshSignIn(ctx);
  if (signIn?.person_id === accountId) return browser.beginSession(session, signIn);
  const { oldId = session.id } = (ctx?.oidc.session ?? {}) as { oldId?: string };
  return browser.saveSession(session, accountId, oldId);
}

export function sessionAdapter(site: SiteRecord, browser: BrowserRepository): Adapter {
  return modelAdapter({
    async upsert(id, { jti: _id, ...payload }, lifetime) {
      const { uid = '', accountId } = payload;
      const used = { ...payload, usedTs: now() };
      const session = { site_id: site.site_id, id, uid, payload: used, expires_at: expiry(payload, lifetime) };
      if (!(await saveSession(browser, session, accountId))) leaveCookies(Provider.ctx);
    },
    async find(id) {
      const payload = await browser.session(site.site_id, id);
      return payload && { ...payload, jti: id };
    },
    // The cookie is not known here and the engine does not need it: it only compares accounts.
    findByUid: (uid) => browser.sessionByUid(site.site_id, uid),
    // Asked only before a session is saved under a new name, and the save replaces the old one.
    destroy: () => Promise.resolve(),
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
      takeUp(Provider.ctx, payload);
      return { ...payload, jti: id, returnTo: `${site.base_url}${ENDPOINTS.authorization}/${id}` };
    },
    async destroy(id) {
      const wasThere = await browser.endInteraction(site.site_id, id);
      // Of two that resume it at once, one goes on.
      if (!wasThere && Provider.ctx?.oidc.route === 'resume')
        throw new errors.SessionNotFound('it was resumed already');
    },
  });
}
