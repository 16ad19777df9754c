import { lookup } from 'node:dns/promises';
import { isPublicAddress } from './public-address.policy.js';

/** The network that documents are fetched from. Only a test has another one than the Internet. */
export interface Network {
  /** All addresses of a host, from one resolution. */
  resolve(hostname: string): Promise<readonly string[]>;
  permits(address: string): boolean;
  readonly port: number;
  /** Certificate authorities, when not those of the system. */
  readonly ca?: string;
}

export const INTERNET: Network = {
  async resolve(hostname) {
    const found = await lookup(hostname, { all: true, order: 'ipv4first' });
    return found.map(({ address }) => address);
  },
  permits: isPublicAddress,
  port: 443,
};
