import type { FastifyReply } from 'fastify';
import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { matchesDigest, randomToken, sha256 } from '#src/secrets/digest.js';
import type { SiteRecord } from '#src/sites/site.js';
import { isResuming } from './engine.internals.js';

const COOKIE = 'lyceum.answer';

/**
 * An attacker who can write cookies of this host (a sibling domain, RFC 6265 §8.6) could make another person's browser
 * continue the attacker's interaction, wait for the password, and resume it first: signed in as that person. So each
 * result leaves a secret in its browser, and the interaction resumes only there.
 *
 * @returns the digest to store with the result
 */
export function issueResumeProof(reply: FastifyReply, site: SiteRecord, uid: string): string {
  const secret = randomToken();
  const secure = site.base_url.startsWith('https:') ? '; secure' : '';
  const attributes = `path=${ENDPOINTS.authorization}/${uid}; max-age=${LIFETIMES.interaction}; httponly; samesite=lax${secure}`;
  void reply.header('set-cookie', `${COOKIE}=${secret}; ${attributes}`);
  return sha256(secret).toString('hex');
}

/** Also true for an interaction without a result, and for requests that do not resume one. */
export function mayResume({ result }: AdapterPayload, ctx: KoaContextWithOIDC | undefined): boolean {
  if (!isResuming(ctx) || result === undefined) return true;
  const digest: unknown = result['proof'];
  const secret = ctx.cookies.get(COOKIE, { signed: false });
  return typeof digest === 'string' && secret !== undefined && matchesDigest(secret, Buffer.from(digest, 'hex'));
}
