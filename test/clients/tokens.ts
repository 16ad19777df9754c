import { mintToken } from '@lyceum/testing';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';

const site = systemStack().sites[0]!;
const ROLES = { member: 'student', operator: 'owner' } as const;

/** An access token at the first site, from the site's own public client of the audience. Default role: see `ROLES`. */
export async function tokenFor(
  audience: 'member' | 'operator',
  scope: string,
  role: 'student' | 'owner' | 'admin' = ROLES[audience],
): Promise<string> {
  const client = clientOf(site, audience, 'public');
  const tokens = await mintToken({ site, ...personOf(site, role), ...client, scope });
  return tokens.access_token;
}
