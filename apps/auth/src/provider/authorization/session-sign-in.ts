import { randomToken } from '#src/secrets/digest.js';
import { openSession } from '../engine/engine.internals.js';
import { engineRequest } from '../engine/engine-request.js';
import { finishInteraction, interactionOfCookie, promptOf, resultOf } from './open-interaction.js';
import type { InteractionContext } from './open-interaction.js';

/**
 * Signs in to the interaction of the browser with the session of the browser. Undefined unless the session began after
 * the request, which may require a new sign-in. The session of the request may have ended since: this one replaced it.
 */
export async function signInFromSession(context: InteractionContext): Promise<string | undefined> {
  const { browser, engine, reply, request, site } = context;
  const { details } = (await interactionOfCookie(context)) ?? {};
  if (details === undefined || promptOf(details) === 'consent') return undefined;
  const { session } = await openSession(engine.provider, engineRequest(site, request, request.url), reply.raw);
  const who = await browser.signedIn(site.site_id, session.uid);
  const { amr = [], loginTs: signed_in_at = 0 } = session;
  if (who === undefined || signed_in_at < details.iat) return undefined;
  // The engine refuses to continue with another session than the one of the request.
  delete details.session;
  await details.persist();
  return finishInteraction(context, details, resultOf(details, { ...who, amr, signed_in_at }), randomToken());
}
