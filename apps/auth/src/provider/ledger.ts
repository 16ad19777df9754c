import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { AuditService } from '#src/audit/audit.service.js';
import { ClientsService } from '#src/clients/clients.service.js';

/** What is written down when tokens were given: the audit row, and that the client is in use. */
@Injectable()
export class Ledger {
  constructor(
    private readonly audit: AuditService,
    private readonly clients: ClientsService,
  ) {}

  async tokensGiven(site_id: string, { oidc }: KoaContextWithOIDC): Promise<void> {
    const { client, account, grant, entities } = oidc;
    const refreshed = oidc.params?.['grant_type'] === 'refresh_token';
    await Promise.all([
      this.audit.record({
        event: refreshed ? 'token.refreshed' : 'token.issued',
        site_id,
        person_id: account?.accountId ?? null,
        client_id: client?.clientId ?? null,
        details: { grant_id: grant?.jti, scope: entities.AccessToken?.scope },
      }),
      this.clients.touch(String(client?.['x_client_key'])),
    ]);
  }
}
