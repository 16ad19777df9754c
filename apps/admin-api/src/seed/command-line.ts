import type { Principal } from '@lyceum/contracts';

/** The principal of the command line. It has no token, and therefore no person and no expiry. */
export function commandLine(site_id: string): Principal {
  return {
    person_id: '00000000-0000-0000-0000-000000000000',
    member_id: '00000000-0000-0000-0000-000000000000',
    site_id,
    client_id: 'command-line',
    audience: 'operator',
    scopes: [],
    roles: ['owner'],
    grant_id: 'command-line',
    token_fingerprint: '0000000000000000',
    expires_at: 0,
  };
}
