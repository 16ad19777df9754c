import type { Principal } from '@lyceum/contracts';
import { sourceOf } from '@lyceum/rate-limit';

/** Each class has its own window and limit. */
const CLASSES = ['anonymous', 'client', 'person', 'refused'] as const;
export type Class = (typeof CLASSES)[number];

export interface Counter {
  readonly class: Class;
  /** Key that replicas exchange: the class, then the counted subject. */
  readonly key: string;
}

function counter(name: Class, ...subject: readonly string[]): Counter {
  return { class: name, key: [name, ...subject].join(':') };
}

function callerOf(siteId: string, principal: Principal | null, ip: string): Counter {
  if (principal === null) return counter('anonymous', siteId, sourceOf(ip));
  return counter('client', siteId, principal.person_id, principal.client_id);
}

/** Key of the caller at a site: person and client, or the source without a token. */
export function callerKey(siteId: string, principal: Principal | null, ip: string): string {
  return callerOf(siteId, principal, ip).key;
}

/** Counters of a message, separate for each site. */
export function countersOf(siteId: string, principal: Principal | null, ip: string): readonly Counter[] {
  const caller = callerOf(siteId, principal, ip);
  return principal === null ? [caller] : [caller, counter('person', siteId, principal.person_id)];
}

/** Counter of refused tokens, by source alone: a guessed token belongs to no person. */
export function refusedTokensOf(ip: string): Counter {
  return counter('refused', sourceOf(ip));
}

/** Undefined for a key of another release. */
export function counterOf(key: string): Counter | undefined {
  const name = CLASSES.find((one) => key.startsWith(`${one}:`));
  return name === undefined ? undefined : { class: name, key };
}
