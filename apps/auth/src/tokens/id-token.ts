import { splitScope } from '@lyceum/contracts';
import type { SiteRecord } from '#src/sites/site.js';
import { claimsOfScopes } from '#src/people/claims.policy.js';
import type { NewTokens } from './new-tokens.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import type { FoundCode } from './token-grants.repository.js';

/** The claims of an id_token (OpenID Connect Core §2): those of the granted scopes, as in UserInfo, and its own. */
export function idTokenClaims(site: SiteRecord, clientId: string, code: FoundCode, tokens: NewTokens): object {
  const { nonce, auth_time } = code;
  return {
    ...claimsOfScopes({ ...code, org_id: site.org_id }, splitScope(tokens.scope)),
    ...(auth_time === null ? {} : { auth_time }),
    ...(nonce === null ? {} : { nonce }),
    iss: site.base_url,
    aud: clientId,
    iat: tokens.issuedAt,
    exp: tokens.issuedAt + LIFETIMES.idToken,
  };
}
