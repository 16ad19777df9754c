import { Injectable } from '@nestjs/common';
import { splitScope } from '@lyceum/contracts';
import { isPageUri } from '#src/clients/page-client.policy.js';
import { GrantsService } from '#src/grants/grants.service.js';
import { KeyRing } from '#src/keys/key-ring.js';
import type { SiteRecord } from '#src/sites/site.js';
import { idTokenClaims } from './id-token.js';
import { NewTokens } from './new-tokens.js';
import { TokenGrantsRepository } from './token-grants.repository.js';
import type { CredentialLookup, FoundCode } from './token-grants.repository.js';
import { TokenAudit } from './token-audit.js';
import { decideExchange, invalidGrant } from './token-request.policy.js';
import type { CodeRequest } from './token-request.js';

/** The `authorization_code` grant (RFC 6749 §4.1.3, §4.1.4). */
@Injectable()
export class CodeExchange {
  constructor(
    private readonly repository: TokenGrantsRepository,
    private readonly grants: GrantsService,
    private readonly keys: KeyRing,
    private readonly audit: TokenAudit,
  ) {}

  find(site: SiteRecord, clientId: string, { code }: CodeRequest): Promise<CredentialLookup<FoundCode> | undefined> {
    return this.repository.byCode({ site, clientId, value: code });
  }

  /** @throws OAuthError when no tokens are issued */
  async give(
    site: SiteRecord,
    request: CodeRequest,
    { credential, ...client }: CredentialLookup<FoundCode>,
  ): Promise<object> {
    const { compatibility_mode } = client;
    const decision = decideExchange(request, credential, { base_url: site.base_url, compatibility_mode });
    if (decision.kind === 'refuse') throw decision.error;
    if (credential === undefined || decision.kind === 'replayed') return this.#replayed(site, credential);
    const { grant_id, scope: refreshScope } = credential;
    const withoutRefresh = isPageUri(credential.redirect_uri, site);
    const tokens = new NewTokens({ scope: decision.scope, refreshScope, withoutRefresh });
    const id_token = await this.#idToken(site, client.client_id, credential, tokens);
    const won = await this.repository.exchange({ site, value: request.code, grant_id, tokens });
    // Two exchanges raced, so two parties have the code: all its tokens are revoked.
    if (!won) return this.#replayed(site, credential);
    this.audit.record(client.client_key, 'token.issued');
    return tokens.response(site, id_token);
  }

  /** RFC 6749 §4.1.2 */
  async #replayed(site: SiteRecord, code: FoundCode | undefined): Promise<never> {
    if (code !== undefined) await this.grants.revoke(site.site_id, code.grant_id, 'code_replayed');
    throw invalidGrant();
  }

  /** Undefined without `openid`, and while no key signs. */
  async #idToken(site: SiteRecord, clientId: string, code: FoundCode, tokens: NewTokens): Promise<string | undefined> {
    if (!splitScope(tokens.scope).includes('openid')) return undefined;
    const { signer } = await this.keys.current();
    return signer?.sign(idTokenClaims(site, clientId, code, tokens));
  }
}
