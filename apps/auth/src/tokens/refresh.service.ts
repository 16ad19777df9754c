import { Injectable } from '@nestjs/common';
import { GrantsService } from '#src/grants/grants.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { NewTokens } from './new-tokens.js';
import { TokenGrantsRepository } from './token-grants.repository.js';
import type { CredentialLookup, FoundRefreshToken } from './token-grants.repository.js';
import { TokenAudit } from './token-audit.js';
import { decideRefresh, invalidGrant } from './token-request.policy.js';
import type { RefreshRequest } from './token-request.js';

/** The `refresh_token` grant (RFC 6749 §6). Every refresh token is single-use (RFC 9700 §4.14.2). */
@Injectable()
export class Refresh {
  constructor(
    private readonly repository: TokenGrantsRepository,
    private readonly grants: GrantsService,
    private readonly audit: TokenAudit,
  ) {}

  find(
    site: SiteRecord,
    clientId: string,
    { refresh_token }: RefreshRequest,
  ): Promise<CredentialLookup<FoundRefreshToken> | undefined> {
    return this.repository.byRefreshToken({ site, clientId, value: refresh_token });
  }

  /** @throws OAuthError when no tokens are issued */
  async give(site: SiteRecord, request: RefreshRequest, client: CredentialLookup<FoundRefreshToken>): Promise<object> {
    const { credential } = client;
    const decision = decideRefresh(request, credential);
    if (decision.kind === 'refuse') throw decision.error;
    if (credential === undefined) throw invalidGrant();
    const { grant_id, scope, family_began_at } = credential;
    if (decision.kind === 'replayed') {
      await this.grants.revoke(site.site_id, grant_id, 'refresh_token_reused');
      throw invalidGrant();
    }
    const tokens = new NewTokens({ scope: decision.scope, refreshScope: scope, familyBeganAt: family_began_at });
    const outcome = await this.repository.refresh({ site, value: request.refresh_token, grant_id, tokens });
    // A concurrent refresh won without a reuse window, or the token was revoked: the winner keeps the family.
    if (outcome === 'refused') throw invalidGrant();
    const repeated = outcome === 'repeated' ? (['token.refresh_repeated'] as const) : [];
    this.audit.record(client.client_key, ...repeated, 'token.refreshed');
    return tokens.response(site);
  }
}
