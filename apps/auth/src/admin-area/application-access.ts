import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import type { OAuthClient } from '#src/clients/client.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { hasNul } from '#src/edge/body.js';
import { SubmissionsRepository } from './submissions.repository.js';

/** The pages of a disabled beta feature do not exist. */
export function requireConnections({ site }: AccountContext): void {
  if (site.settings.mcp_connections !== true) throw new ApiError('not_found', 'The page does not exist');
}

/** The applications that a site created. Those of other sites do not exist. */
@Injectable()
export class ApplicationAccess {
  constructor(
    private readonly clients: ClientsService,
    private readonly submissions: SubmissionsRepository,
  ) {}

  /** @throws `not_found` */
  async find(context: AccountContext, clientId: string): Promise<OAuthClient> {
    requireConnections(context);
    const client = hasNul(clientId) ? undefined : await this.clients.ownOfSite(clientId, context.site.site_id);
    if (client === undefined) throw new ApiError('not_found', 'The page does not exist');
    return client;
  }

  /**
   * With the secret that this session created or rotated, on its first page.
   *
   * @throws `not_found`
   */
  async findWithSecret(
    context: AccountContext,
    clientId: string,
  ): Promise<{ readonly client: OAuthClient; readonly secret: string | undefined }> {
    requireConnections(context);
    const { site, session } = context;
    const found = hasNul(clientId) ? undefined : await this.submissions.takeSecret(site.site_id, session.uid, clientId);
    if (found === undefined) throw new ApiError('not_found', 'The page does not exist');
    return found;
  }

  /** @throws `not_found`, also for a public application */
  async findConfidential(context: AccountContext, clientId: string): Promise<OAuthClient> {
    const client = await this.find(context, clientId);
    if (client.secret_hash === null) throw new ApiError('not_found', 'A public application has no secret');
    return client;
  }
}
