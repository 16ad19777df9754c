import { Injectable } from '@nestjs/common';
import type { Adapter, AdapterFactory } from 'oidc-provider';
import { AuditService } from '#src/audit/audit.service.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { GrantsService } from '#src/grants/grants.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { BrowserRepository } from '../browser.repository.js';
import { CredentialsRepository } from '../credentials.repository.js';
import { interactionAdapter, sessionAdapter } from './browser.adapters.js';
import { clientAdapter } from './client.adapter.js';
import { accessTokenAdapter, codeAdapter, refreshTokenAdapter } from './credential.adapters.js';
import type { CredentialRules } from './credential.adapters.js';
import { grantAdapter } from './grant.adapter.js';

/** The engine's storage: one small adapter per model, each fenced by the site. */
@Injectable()
export class Storage {
  constructor(
    private readonly browser: BrowserRepository,
    private readonly credentials: CredentialsRepository,
    private readonly grants: GrantsService,
    private readonly clients: ClientsService,
    private readonly audit: AuditService,
  ) {}

  /** `repeatSeconds`: how long a just-rotated refresh token may be repeated. */
  of(site: SiteRecord, repeatSeconds: number): AdapterFactory {
    const rules: CredentialRules = {
      repeatSeconds,
      revokeReplayed: (siteId, grantId) => this.grants.revoke(siteId, grantId, 'code_replayed'),
      refreshRepeated: (site_id) => this.audit.record({ event: 'token.refresh_repeated', site_id }),
    };
    const adapters: Readonly<Record<string, () => Adapter>> = {
      Session: () => sessionAdapter(site, this.browser),
      Interaction: () => interactionAdapter(site, this.browser),
      Grant: () => grantAdapter(site, this.grants),
      AuthorizationCode: () => codeAdapter(site, this.credentials, rules),
      AccessToken: () => accessTokenAdapter(site, this.credentials),
      RefreshToken: () => refreshTokenAdapter(site, this.credentials, rules),
      Client: () => clientAdapter(site, this.clients),
    };
    return (model) => {
      const make = adapters[model];
      if (make === undefined)
        throw new Error(`The engine wants to store ${model}, which this configuration does not use`);
      return make();
    };
  }

  endSession(site: SiteRecord, uid: string): Promise<void> {
    return this.browser.endSessionByUid(site.site_id, uid);
  }
}
