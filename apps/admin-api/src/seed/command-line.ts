import type { Principal } from '@lyceum/contracts';

/** Who acts from the command line: nobody's token, so nobody's person and no expiry that matters. */
export function commandLine(site_id: string): Principal {
  return {
    person_id: '00000000-0000-0000-0000-000000000000',
    member_id: '00000000-0000-0000-0000-000000000000',
    site_id,
    client_id: 'command-line',
    audience: 'operator',
    scopes: ['courses:write', 'students:write'],
    grant_id: 'command-line',
    token_fingerprint: '0000000000000000',
    expires_at: 0,
  };
}
