function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

/**
 * Returns the source of a request for limits: the IPv4 address, or the /64 network of the IPv6 address, because one
 * subscriber has 2^64 addresses (RFC 4291 §2.5.1, RFC 6177).
 */
export function sourceOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!ip.includes(':')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail);
  const zeros = ip.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  const network = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
