import { Injectable } from '@nestjs/common';
import { splitScope } from '@lyceum/contracts';
import { TokenLimits } from '#src/limits/token-limits.js';
import { claimsOfScopes } from '#src/people/claims.policy.js';
import { TokensRepository } from './tokens.repository.js';

export type UserInfo =
  | { readonly kind: 'claims'; readonly claims: Record<string, unknown> }
  | { readonly kind: 'invalid_token' }
  | { readonly kind: 'insufficient_scope' };

/** OpenID Connect Core §5.3, for tokens that are bound to the site (the engine's own endpoint refuses those). */
@Injectable()
export class UserInfoService {
  constructor(
    private readonly tokens: TokensRepository,
    private readonly limits: TokenLimits,
  ) {}

  /** @throws ApiError `rate_limited` */
  async of(siteId: string, token: string, ip: string): Promise<UserInfo> {
    const row = await this.limits.refusedTokens.check(token, ip, () => this.tokens.userInfo(siteId, token));
    if (row === undefined) return { kind: 'invalid_token' };
    await this.limits.ofGrant('userinfo_requests', row.grant_id);
    const scopes = splitScope(row.scope);
    if (!scopes.includes('openid')) return { kind: 'insufficient_scope' };
    return { kind: 'claims', claims: claimsOfScopes(row, scopes) };
  }
}
