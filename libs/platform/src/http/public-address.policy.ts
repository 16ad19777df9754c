import ipaddr from 'ipaddr.js';

/** RFC 4291 §2.4: the only part of IPv6 that is assigned for the Internet. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * True for an address of the public Internet. Excludes everything that RFC 6890 and its successors reserve (loopback,
 * private, link-local, shared, multicast, documentation …), and IPv6 addresses that embed an IPv4 address (mapped,
 * compatible, 6to4, Teredo, NAT64), because their target is unknown.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}
