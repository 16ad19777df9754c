import ipaddr from 'ipaddr.js';

/** RFC 4291 §2.4: the only part of IPv6 that is given out for the Internet. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address is one of the public Internet: nothing that RFC 6890 and its successors set aside (loopback, private,
 * link-local, shared, multicast, documentation …), and no IPv6 address that has an IPv4 address inside (mapped,
 * compatible, 6to4, Teredo, NAT64), because what that leads to is not for us to see.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}
