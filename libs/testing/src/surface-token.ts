import { mintToken } from '@lyceum/local';
import type { Credentials } from '@lyceum/local';
import type { TestSite } from './infrastructure.js';

export interface SurfaceTokenOptions {
  readonly site: TestSite;
  /** Address of auth. */
  readonly via: string;
  readonly person: Credentials;
  readonly audience: 'member' | 'operator';
  /** Space-separated. */
  readonly scope: string;
}

/** A token for a surface of the site, from the site's public client of its audience. */
export async function surfaceToken({ site, via, person, audience, scope }: SurfaceTokenOptions): Promise<string> {
  const client = site.clients.find((one) => one.audience === audience && one.client_secret === undefined);
  if (client === undefined) throw new Error(`No ${audience} client at ${site.base_url}`);
  const { email, password } = person;
  const { client_id, redirect_uris } = client;
  const tokens = await mintToken({ site, via, email, password, client_id, redirect_uris, scope });
  return tokens.access_token;
}
