import { isIPv6 } from 'node:net';
import type { Principal } from '@lyceum/contracts';

/** Expands the zeros of `::` so that the first four groups can be taken. */
function groups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
}

/** Who counts as one source: an IPv4 address, or the /64 that a single IPv6 subscriber has to himself (RFC 6177). */
export function sourceOf(ip: string): string {
  const address = ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice('::ffff:'.length) : ip;
  return isIPv6(address) ? `${groups(address).slice(0, 4).join(':')}::/64` : address;
}

/** Who is limited: a person with an application, and without a token a source; at each site by itself. */
export function callerKey(siteId: string, principal: Principal | null, ip: string): string {
  if (principal === null) return `a:${siteId}:${sourceOf(ip)}`;
  return `p:${siteId}:${principal.client_id}:${principal.person_id}`;
}
