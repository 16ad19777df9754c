import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#src/edge/cookies.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { INVITATION_PATH } from '#src/protocol/paths.js';
import { sha256 } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';

/** The shortest-lived link limits the cookie. A link that lives longer can be followed again. */
const SECONDS = LIFETIMES.passwordReset;

const cookieOf = (id: string): string => `lyceum.link.${id}`;

/**
 * The links that a browser has followed. The token moves from the URL into a cookie of its own, so that it stays out of
 * later URLs, logs and the history, and two links in one browser stay apart.
 */
export function keepLink(reply: FastifyReply, site: SiteRecord, token: string, path = INVITATION_PATH): string {
  // Public: it distinguishes the links of one browser and grants nothing.
  const id = sha256(`link\n${token}`).toString('hex').slice(0, 16);
  // Lax: a mail program opens the link, so the redirect is still a cross-site navigation.
  setCookie(reply, site, {
    name: cookieOf(id),
    value: token,
    path,
    seconds: SECONDS,
    sameSite: 'lax',
  });
  return id;
}

/** The token of a link that this browser has followed. */
export function followedLink(request: FastifyRequest, id: string): string | undefined {
  return /^[\da-f]{16}$/.test(id) ? readCookie(request, cookieOf(id)) : undefined;
}

export function forgetLink(reply: FastifyReply, site: SiteRecord, id: string, path = INVITATION_PATH): void {
  setCookie(reply, site, { name: cookieOf(id), value: '', path, seconds: 0, sameSite: 'lax' });
}
