import { errors } from 'oidc-provider';
import type { Adapter, AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { BrowserRepository, SavedSession } from '../../browser-state/browser.repository.js';
import type { Decisions } from '../../browser-state/decisions.js';
import { sessionCookie } from '../../browser-state/session-cookie.js';
import { continuationOf, keptContinuation } from '../continuation.js';
import { mayResume } from '../resume-proof.js';
import {
  cookieBeforeRename,
  currentContext,
  datedCookies,
  isResuming,
  leaveCookies,
  savesSessionLater,
  withSecrets,
  withoutSecrets,
} from '../engine.internals.js';
import { freshSignIn, resumeSignIn } from '../fresh-sign-in.js';
import { begunInteraction, knownInteraction, knownSession, knowRows } from '../known-rows.js';
import { modelAdapter } from './model-adapter.js';

interface SessionParts {
  readonly site: SiteRecord;
  readonly browser: BrowserRepository;
  readonly decisions: Pick<Decisions, 'seal'>;
}

const now = (): number => Math.floor(Date.now() / 1000);
const expiry = (payload: AdapterPayload, lifetime: number | undefined): number =>
  payload.exp ?? now() + (lifetime ?? 0);

/** The response that the statement of the session keeps, if the request resumes an interaction. */
function responseToKeep(site: SiteRecord, ctx: KoaContextWithOIDC | undefined, payload: AdapterPayload) {
  const resumed = isResuming(ctx) ? continuationOf(ctx) : undefined;
  if (resumed === undefined) return undefined;
  const { uid, continuation } = resumed;
  const cookies = datedCookies(continuation.cookies, sessionCookie(site).name, payload);
  return { uid, continuation: { ...continuation, cookies } };
}

/**
 * The engine saves a session at the end of each request, even if it has ended in the meantime. Only a sign-in inserts a
 * session; any other save updates an existing row, so that an ended session stays ended.
 */
async function saveSession(
  { site, browser, decisions }: SessionParts,
  session: SavedSession,
  payload: AdapterPayload,
): Promise<boolean> {
  const ctx = currentContext();
  const { accountId } = payload;
  if (accountId === undefined) return browser.saveAnonymousSession(session);
  const signIn = freshSignIn(ctx);
  if (signIn?.person_id === accountId) return browser.beginSession(session, signIn, ctx?.req.headers['user-agent']);
  const response = responseToKeep(site, ctx, payload);
  const isSaved = await browser.saveSession(session, accountId, cookieBeforeRename(ctx) ?? session.id, {
    begun: begunInteraction(ctx?.req),
    kept: response && { uid: response.uid, sealed: decisions.seal(site, response.uid, response.continuation) },
  });
  if (isSaved && ctx !== undefined && response !== undefined) keptContinuation(ctx, response.continuation);
  return isSaved;
}

export function sessionAdapter(parts: SessionParts): Adapter {
  const { site, browser } = parts;
  return modelAdapter({
    async upsert(id, { jti: _id, ...payload }, lifetime) {
      const { uid = '' } = payload;
      const used = { ...payload, usedTs: now() };
      const session = { site_id: site.site_id, id, uid, payload: used, expires_at: expiry(payload, lifetime) };
      if (!(await saveSession(parts, session, payload))) leaveCookies(currentContext());
    },
    async find(id) {
      const request = currentContext()?.req;
      if (request === undefined) {
        const payload = await browser.session(site.site_id, id);
        return payload && { ...payload, jti: id };
      }
      const found = knownSession(request, id) ?? (await browser.sessionOfMember(site.site_id, id));
      if (found?.member !== undefined) knowRows(request, { member: found.member });
      return found && { ...found.payload, jti: id };
    },
    // Called only before a session is saved under a new name, and the save replaces the old one.
    destroy: () => Promise.resolve(),
  });
}

export function interactionAdapter(site: SiteRecord, browser: BrowserRepository): Adapter {
  return modelAdapter({
    async upsert(id, given, lifetime) {
      const [payload, expires_at] = [withoutSecrets(given), expiry(given, lifetime)];
      const ctx = currentContext();
      if (savesSessionLater(ctx)) knowRows(ctx.req, { begun: { id, payload, expires_at } });
      else await browser.saveInteraction(site.site_id, id, payload, expires_at);
    },
    async find(id) {
      const ctx = currentContext();
      const found = knownInteraction(ctx?.req, id) ?? (await browser.resumedInteraction(site.site_id, id));
      if (found === undefined || !mayResume(found.payload, ctx)) return undefined;
      const { payload, client, grant } = found;
      const grantId = payload.result?.consent?.grantId;
      knowRows(ctx?.req, {
        ...(client && { client }),
        ...(grantId !== undefined && grant !== null && { grant: { ...grant, jti: grantId } }),
      });
      resumeSignIn(ctx, payload);
      return withSecrets(payload, id, `${site.base_url}${ENDPOINTS.authorization}`);
    },
    async destroy(id) {
      const wasThere = await browser.endInteraction(site.site_id, id);
      // One of two concurrent resumes succeeds.
      if (!wasThere && isResuming(currentContext()))
        throw new errors.SessionNotFound('the interaction was already resumed');
    },
  });
}
