import type { Principal } from '@lyceum/contracts';
import { sourceOf } from '@lyceum/rate-limit';
import type { Limit, Quota } from '@lyceum/rate-limit';

/** Refused tokens per source: each unknown token costs an introspection. */
export const REFUSED_TOKENS: Limit = {
  name: 'refused',
  hits: 60,
  windowSeconds: 60,
  unit: 'refused access tokens',
};

export interface MessageLimits {
  /** Per source without a token. Most sources send few messages: for them a tenth costs no lease. */
  readonly anonymous: Limit;
  /** Per person and client. */
  readonly client: Limit;
  /**
   * Per person across clients: another client registration grants no more messages. Most people use one client: for
   * them a tenth costs no lease beside that of the client's quota.
   */
  readonly person: Limit;
}

/** Limits of messages from the settings. */
export function messageLimits({
  ANONYMOUS_MESSAGES: anonymous,
  ANONYMOUS_SECONDS,
  CLIENT_MESSAGES: client,
  PERSON_MESSAGES: person,
}: Readonly<
  Record<'ANONYMOUS_MESSAGES' | 'ANONYMOUS_SECONDS' | 'CLIENT_MESSAGES' | 'PERSON_MESSAGES', number>
>): MessageLimits {
  const unit = 'messages';
  return {
    anonymous: {
      name: 'anonymous',
      hits: anonymous,
      windowSeconds: ANONYMOUS_SECONDS,
      unit,
      unshared: Math.floor(anonymous / 10),
    },
    client: { name: 'client', hits: client, windowSeconds: 60, unit },
    person: { name: 'person', hits: person, windowSeconds: 60, unit, unshared: Math.floor(person / 10) },
  };
}

/** Key of the caller at a site: person and client, or the source without a token. */
export function callerKey(siteId: string, principal: Principal | null, ip: string): string {
  return principal === null ? `${siteId}:${sourceOf(ip)}` : `${siteId}:${principal.person_id}:${principal.client_id}`;
}

/** Quotas of a message, separate for each site; the narrowest first. */
export function quotasOf(
  limits: MessageLimits,
  { siteId, principal, ip }: { readonly siteId: string; readonly principal: Principal | null; readonly ip: string },
): readonly [Quota, ...Quota[]] {
  const subject = callerKey(siteId, principal, ip);
  if (principal === null) return [{ limit: limits.anonymous, subject }];
  return [
    { limit: limits.client, subject },
    { limit: limits.person, subject: `${siteId}:${principal.person_id}` },
  ];
}
