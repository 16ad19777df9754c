import { lookup } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { isPublicAddress } from './public-address.policy.js';

/** The network of document fetches: the Internet. */
@Injectable()
export class Network {
  readonly port: number = 443;
  /** Certificate authorities, in place of those of the system. */
  readonly ca?: string;

  /** All addresses of a host, by one resolution. */
  async resolve(hostname: string): Promise<readonly string[]> {
    const found = await lookup(hostname, { all: true, order: 'ipv4first' });
    return found.map(({ address }) => address);
  }

  permits(address: string): boolean {
    return isPublicAddress(address);
  }
}
