import type { FastifyReply } from 'fastify';
import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { matchesDigest, randomToken, sha256 } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import { isResuming } from './engine.internals.js';

const COOKIE = 'lyceum.answer';

/**
 * Whoever can write cookies of this host (a sibling domain, RFC 6265 §8.6) could let another person's browser go on with
 * an interaction of their own, wait for the password, and resume it first: signed in as that person. So each answer leaves
 * a secret in the browser that gave it, and the interaction resumes only there.
 *
 * @returns what to keep with the answer
 */
export function issueResumeProof(reply: FastifyReply, site: SiteRecord, uid: string): string {
  const secret = randomToken();
  const secure = site.base_url.startsWith('https:') ? '; secure' : '';
  const attributes = `path=${ENDPOINTS.authorization}/${uid}; max-age=${LIFETIMES.interaction}; httponly; samesite=lax${secure}`;
  void reply.header('set-cookie', `${COOKIE}=${secret}; ${attributes}`);
  return sha256(secret).toString('hex');
}

/** True as well for an interaction without an answer, and everywhere but where it resumes. */
export function mayResume({ result }: AdapterPayload, ctx: KoaContextWithOIDC | undefined): boolean {
  if (!isResuming(ctx) || result === undefined) return true;
  const digest: unknown = result['proof'];
  const secret = ctx.cookies.get(COOKIE, { signed: false });
  return typeof digest === 'string' && secret !== undefined && matchesDigest(secret, Buffer.from(digest, 'hex'));
}
