import { NODATA, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The second try has twice the time, so a name whose servers are silent fails after about 6 seconds. */
const TRIES = { timeout: 2_000, tries: 2 };
/** RFC 6761 §6.3: names of this machine are no question for name servers. */
const LOCALHOST = /(^|\.)localhost\.?$/;

/**
 * All addresses of a host on the Internet, those of IPv4 first: names in `/etc/hosts` and names that need a search
 * domain are unknown. Name servers are asked over sockets, because `lookup` takes one of two threads of libuv until
 * they respond: two names with silent servers would stop each lookup of the process.
 *
 * @param hostname name, or address without brackets, which is returned as it is
 * @param signal ends the queries
 * @param servers addresses of name servers, with a port if it is not 53. Default: those of the system
 * @returns empty for a name that exists without an address
 * @throws `Error` with a `code` of `node:dns` when no address is found, such as `ENOTFOUND` or `ETIMEOUT`
 */
export async function addressesOf(
  hostname: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return [hostname];
  if (LOCALHOST.test(hostname)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver(TRIES);
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return addressesIn(await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** One family with addresses suffices, because many name servers fail for the other one. */
function addressesIn(families: readonly PromiseSettledResult<string[]>[]): string[] {
  const found = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  if (found.length > 0) return found;
  for (const family of families) {
    if (family.status === 'rejected' && !hasNoData(family.reason)) throw family.reason;
  }
  return [];
}

function hasNoData(reason: unknown): boolean {
  return reason instanceof Error && 'code' in reason && reason.code === NODATA;
}
