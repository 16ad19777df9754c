import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#src/edge/cookies.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import type { SiteRecord } from '#src/sites/site.js';

/** Accounts beside the current one: a family shares a browser, and a class should not. */
const MAX_PARKED = 4;
/** The ids of sessions are random texts of this alphabet. */
const ID = /^[\w-]{20,64}$/;

const isSecure = ({ base_url }: SiteRecord): boolean => base_url.startsWith('https:');
const cookieOf = (site: SiteRecord): string => `${isSecure(site) ? '__Host-' : ''}lyceum.parked`;

/** The ids of the sessions that this browser left for another account, the latest first. They are secrets. */
export function parkedIds(request: FastifyRequest, site: SiteRecord): string[] {
  const value = readCookie(request, cookieOf(site)) ?? '';
  return value.split('~', MAX_PARKED).filter((id) => ID.test(id));
}

/** Replaces the parked sessions. */
export function park(request: FastifyRequest, reply: FastifyReply, site: SiteRecord, ids: readonly string[]): void {
  if (ids.length === 0 && parkedIds(request, site).length === 0) return;
  const kept = ids.slice(0, MAX_PARKED);
  const seconds = kept.length === 0 ? 0 : LIFETIMES.session;
  setCookie(reply, site, { name: cookieOf(site), value: kept.join('~'), path: '/', sameSite: 'lax', seconds });
}
