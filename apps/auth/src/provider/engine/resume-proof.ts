import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import { readCookie, setCookie } from '#src/edge/cookies.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { matchesDigest, randomToken, sha256 } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import { isResuming } from './engine.internals.js';
import { sessionCookie } from '../browser-state/session-cookie.js';

const COOKIE = 'lyceum.answer';

/**
 * An attacker who can write cookies of this host (a sibling domain, RFC 6265 §8.6) could make another person's browser
 * continue the attacker's interaction, wait for the password, and resume it first: signed in as that person. So each
 * result leaves a secret in its browser, and the interaction resumes only there.
 *
 * @returns the digest to store with the result
 */
export function issueResumeProof(reply: FastifyReply, site: SiteRecord, uid: string, secret: string): string {
  const path = `${ENDPOINTS.authorization}/${uid}`;
  setCookie(reply, site, { name: COOKIE, value: secret, path, sameSite: 'lax', seconds: LIFETIMES.interaction });
  return digestOf(secret);
}

/** The digest that a result has of its secret. */
export function digestOf(secret: string): string {
  return sha256(secret).toString('hex');
}

/**
 * The secret of a decision. The cookie of the session determines it, so that a repeated decision of the same browser
 * has the same one. A browser without a session gets a random one.
 */
export function decisionSecret(request: FastifyRequest, site: SiteRecord, uid: string, key: string): string {
  const session = readCookie(request, sessionCookie(site).name);
  if (session === undefined) return randomToken();
  return createHmac('sha256', key).update(`decision:${uid}:${session}`).digest('base64url');
}

/** True in the browser of the result. */
function isProven({ result }: AdapterPayload, ctx: KoaContextWithOIDC): boolean {
  const secret = ctx.cookies.get(COOKIE, { signed: false });
  return secret !== undefined && proves(secret, result);
}

export function proves(secret: string, result: AdapterPayload['result']): boolean {
  const digest: unknown = result?.['proof'];
  return typeof digest === 'string' && matchesDigest(secret, Buffer.from(digest, 'hex'));
}

/** Returns true for a proven resumption, for an interaction without a result, and for requests that resume none. */
export function mayResume(payload: AdapterPayload, ctx: KoaContextWithOIDC | undefined): boolean {
  if (!isResuming(ctx) || payload.result === undefined) return true;
  return isProven(payload, ctx);
}

/** Returns true for the browser of a decision that has continued the authorization. */
export function mayRepeat(payload: AdapterPayload, ctx: KoaContextWithOIDC): boolean {
  return payload.result !== undefined && isProven(payload, ctx);
}
