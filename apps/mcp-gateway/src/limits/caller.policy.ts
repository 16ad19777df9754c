import type { Principal } from '@lyceum/contracts';
import { sourceOf } from '@lyceum/rate-limit';
import type { Limit, Quota } from '@lyceum/rate-limit';

/** Limits of callers with a token, and of refused tokens. That of anonymous sources is a setting. */
export const LIMITS = {
  /** Per person and client. */
  client: { name: 'client', hits: 100, windowSeconds: 60, unit: 'messages' },
  /**
   * Per person across clients: another client registration grants no more messages. Most people use one client: for
   * them a tenth costs no lease beside that of the client's quota.
   */
  person: { name: 'person', hits: 500, windowSeconds: 60, unit: 'messages', unshared: 50 },
  /** Refused tokens per source: each unknown token costs an introspection. */
  refused: { name: 'refused', hits: 60, windowSeconds: 60, unit: 'refused access tokens' },
} as const satisfies Record<string, Limit>;

/** Key of the caller at a site: person and client, or the source without a token. */
export function callerKey(siteId: string, principal: Principal | null, ip: string): string {
  return principal === null ? `${siteId}:${sourceOf(ip)}` : `${siteId}:${principal.person_id}:${principal.client_id}`;
}

/** Quotas of a message, separate for each site; the narrowest first. */
export function quotasOf(
  anonymous: Limit,
  { siteId, principal, ip }: { readonly siteId: string; readonly principal: Principal | null; readonly ip: string },
): readonly [Quota, ...Quota[]] {
  const subject = callerKey(siteId, principal, ip);
  if (principal === null) return [{ limit: anonymous, subject }];
  return [
    { limit: LIMITS.client, subject },
    { limit: LIMITS.person, subject: `${siteId}:${principal.person_id}` },
  ];
}
