import { isDeepStrictEqual } from 'node:util';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import type { Continuation, Decisions } from '../browser-state/decisions.js';
import { mayRepeat } from './resume-proof.js';

const REPEATED = 'repeated_continuation';
const KEPT = 'kept_continuation';

interface Resumed {
  readonly uid: string;
  readonly continuation: Continuation;
}

interface ResponseContext {
  readonly path: string;
  readonly state: Record<string, unknown>;
  status: number;
  readonly response: { get(name: string): string | string[]; set(name: string, value: string | string[]): void };
}

const RESUME = `${ENDPOINTS.authorization}/`;

/** The interaction that the request resumes. The path decides: the outer middleware of the engine has no route yet. */
export function resumedUid({ path }: { readonly path: string }): string | undefined {
  return path.startsWith(RESUME) ? path.slice(RESUME.length) : undefined;
}

/** Prepares the response of the first request for a request that resumes the same interaction again. */
export async function repeatContinuation(
  ctx: KoaContextWithOIDC,
  site: SiteRecord,
  decisions: Decisions,
): Promise<boolean> {
  const uid = resumedUid(ctx);
  const found = uid === undefined ? undefined : await decisions.find(site, uid);
  if (uid === undefined || found === undefined || !mayRepeat(found.payload, ctx)) return false;
  const continuation = await decisions.continuation(site, uid);
  if (continuation === undefined) return false;
  ctx.state[REPEATED] = continuation;
  ctx.body = '';
  return true;
}

/**
 * Returns the redirect of a request that resumes an interaction. For other requests, and before the engine responds,
 * the function returns undefined.
 */
export function continuationOf(ctx: Pick<ResponseContext, 'path' | 'response'>): Resumed | undefined {
  const uid = resumedUid(ctx);
  const location = [ctx.response.get('location')].flat()[0] ?? '';
  if (uid === undefined || location === '') return undefined;
  const cookies = [ctx.response.get('set-cookie')].flat().filter((line) => line !== '');
  return { uid, continuation: { location, cookies } };
}

/** Marks the redirect as kept. */
export function keptContinuation({ state }: Pick<ResponseContext, 'state'>, continuation: Continuation): void {
  state[KEPT] = continuation;
}

/** Keeps the redirect of a request that resumed an interaction, or repeats the one that was prepared. */
export async function completeContinuation(
  ctx: ResponseContext,
  site: SiteRecord,
  decisions: Pick<Decisions, 'keep'>,
): Promise<void> {
  const repeated = ctx.state[REPEATED] as Continuation | undefined;
  if (repeated !== undefined) {
    ctx.status = 303;
    ctx.response.set('location', repeated.location);
    ctx.response.set('set-cookie', [...repeated.cookies]);
    return;
  }
  const { uid, continuation } = continuationOf(ctx) ?? {};
  if (uid === undefined || continuation === undefined || isDeepStrictEqual(ctx.state[KEPT], continuation)) return;
  await decisions.keep(site, uid, continuation);
}
