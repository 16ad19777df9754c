import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#src/edge/cookies.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import type { SiteRecord } from '#src/sites/site.js';

const COOKIE = 'lyceum.passkey';
const USED = '1';

/** Whether the last sign-in of this browser at the site was by passkey. The cookie names no account. */
export const usedPasskey = (request: FastifyRequest): boolean => readCookie(request, COOKIE) === USED;

export function rememberPasskey(request: FastifyRequest, reply: FastifyReply, site: SiteRecord, used: boolean): void {
  if (!used && !usedPasskey(request)) return;
  const seconds = used ? LIFETIMES.knownDevice : 0;
  setCookie(reply, site, { name: COOKIE, value: used ? USED : '', path: '/', sameSite: 'lax', seconds });
}
