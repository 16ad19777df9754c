import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#src/edge/cookies.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { matchesDigest, randomToken, sha256 } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';

const COOKIE = 'lyceum.email-link';
const VALUE = /^([\w-]{43})(?:\.([\w-]{1,64}))?$/;

/** The browser that requested a link, and the interaction that it continues afterwards. */
export interface RequestingBrowser {
  readonly secret: string;
  /** The uid of the interaction; undefined for the account. */
  readonly uid: string | undefined;
}

export function requestingBrowser(request: FastifyRequest): RequestingBrowser | undefined {
  const [, secret, uid] = VALUE.exec(readCookie(request, COOKIE) ?? '') ?? [];
  return secret === undefined ? undefined : { secret, uid };
}

function keep(reply: FastifyReply, site: SiteRecord, value: string): void {
  // Lax: a mail program opens the link. The cookie lives as long as the longest link.
  setCookie(reply, site, { name: COOKIE, value, path: '/', sameSite: 'lax', seconds: LIFETIMES.signUpLink });
}

/** The secret of this browser, which gets one if it has none. */
export function secretOf(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): string {
  const known = requestingBrowser(request)?.secret;
  if (known !== undefined) return known;
  const secret = randomToken();
  keep(reply, site, secret);
  return secret;
}

/** Recognizes this browser when the link is followed. The digest is stored with the link. */
export function rememberBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  site: SiteRecord,
  uid: string | undefined,
): Buffer {
  const secret = requestingBrowser(request)?.secret ?? randomToken();
  keep(reply, site, uid === undefined ? secret : `${secret}.${uid}`);
  return sha256(secret);
}

/** The browser of the link; undefined for another one. */
export function browserOf(request: FastifyRequest, digest: Uint8Array): RequestingBrowser | undefined {
  const browser = requestingBrowser(request);
  return browser !== undefined && matchesDigest(browser.secret, digest) ? browser : undefined;
}
