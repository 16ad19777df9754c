import { errors } from 'oidc-provider';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { SiteRecord } from '#src/sites/site.js';
import type { CredentialsRepository } from '../credentials.repository.js';
import { goesWithItsGrant, isGrantGone, modelAdapter } from './model-adapter.js';

export interface CredentialRules {
  /** How long a just-rotated refresh token may be repeated, in seconds. */
  readonly repeatSeconds: number;
  /** Ends the grant of a code that was redeemed twice at once. */
  revokeReplayed(siteId: string, grantId: string): Promise<void>;
  refreshRepeated(siteId: string): Promise<void>;
}

async function insert(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (isGrantGone(error)) throw new errors.InvalidGrant('the grant was revoked meanwhile');
    throw error;
  }
}

const withoutId = ({ jti: _id, ...payload }: AdapterPayload): AdapterPayload => payload;

export function codeAdapter(site: SiteRecord, credentials: CredentialsRepository, rules: CredentialRules): Adapter {
  return modelAdapter({
    upsert: (id, payload) => insert(credentials.insertCode(site.site_id, id, withoutId(payload))),
    async find(id) {
      const stored = await credentials.code(site.site_id, id);
      return stored && { ...stored.payload, jti: id, ...(stored.consumed ? { consumed: true } : {}) };
    },
    async consume(id) {
      if (await credentials.consumeCode(site.site_id, id)) return;
      // Two exchanges raced, so the code is in two hands: nobody keeps what it gave (RFC 6749 §4.1.2).
      const grantId = await credentials.grantOfCode(site.site_id, id);
      if (grantId !== undefined) await rules.revokeReplayed(site.site_id, grantId);
      throw new errors.InvalidGrant('the authorization code was used at the same time');
    },
    destroy: goesWithItsGrant,
    revokeByGrantId: goesWithItsGrant,
  });
}

export function accessTokenAdapter(site: SiteRecord, credentials: CredentialsRepository): Adapter {
  return modelAdapter({
    upsert: (id, payload) => insert(credentials.insertAccessToken(site.site_id, id, payload)),
    async find(id) {
      const token = await credentials.accessToken(site.site_id, id);
      if (token === undefined) return undefined;
      return {
        kind: 'AccessToken',
        jti: id,
        grantId: token.grant_id,
        clientId: token.client_id,
        accountId: token.person_id,
        aud: token.resource,
        scope: token.scope,
        iat: token.iat,
        exp: token.exp,
      };
    },
    destroy: goesWithItsGrant,
    revokeByGrantId: goesWithItsGrant,
  });
}

export function refreshTokenAdapter(
  site: SiteRecord,
  credentials: CredentialsRepository,
  rules: CredentialRules,
): Adapter {
  return modelAdapter({
    upsert: (id, payload) => insert(credentials.insertRefreshToken(site.site_id, id, withoutId(payload))),
    async find(id) {
      const stored = await credentials.refreshToken(site.site_id, id, rules.repeatSeconds);
      return stored && { ...stored.payload, jti: id, ...(stored.consumed ? { consumed: true } : {}) };
    },
    async consume(id) {
      const outcome = await credentials.consumeRefreshToken(site.site_id, id, rules.repeatSeconds);
      if (outcome === 'refused') throw new errors.InvalidGrant('the refresh token was used at the same time');
      if (outcome === 'repeated') await rules.refreshRepeated(site.site_id);
    },
    destroy: goesWithItsGrant,
    revokeByGrantId: goesWithItsGrant,
  });
}
