import { Injectable } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { AuditService } from '#src/audit/audit.service.js';
import { DocumentClients } from '#src/client-documents/document-clients.service.js';
import type { OAuthClient, Review } from '#src/clients/client.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { REGISTRATION_LIMITS } from '#src/registrations/registration.policy.js';
import { randomToken } from '#src/secrets/digest.js';

export interface NewApplication {
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly string[];
  readonly confidential: boolean;
  readonly post_logout_redirect_uris: readonly string[];
  readonly compatibility_mode: boolean;
}

/** The editable fields of an existing application. */
export type ApplicationOptions = Pick<NewApplication, 'post_logout_redirect_uris' | 'compatibility_mode'>;

/** Rejects control and formatting characters, because consent shows the name. */
const NAME = /^[^\p{C}]+$/u;

function checkUris(uris: readonly string[]): void {
  const { redirectUris, redirectUriLength } = REGISTRATION_LIMITS;
  if (uris.length > redirectUris || uris.some((uri) => uri.length > redirectUriLength)) {
    throw new ApiError(
      'validation_failed',
      `There are ${redirectUris} redirect URIs at most, each of ${redirectUriLength} characters`,
    );
  }
}

function check({ name, redirect_uris, post_logout_redirect_uris, scopes }: NewApplication): void {
  const { nameLength } = REGISTRATION_LIMITS;
  if (name.length > nameLength || !NAME.test(name)) {
    throw new ApiError('validation_failed', `The name must have 1 to ${nameLength} characters of plain text`);
  }
  checkUris(redirect_uris);
  checkUris(post_logout_redirect_uris);
  if (!scopes.some((scope) => scope.startsWith('account:'))) {
    throw new ApiError('validation_failed', 'Select at least one permission of the account');
  }
}

/** Operations of owners and admins on the clients of their site. Each is audited with its actor. */
@Injectable()
export class AdminActions {
  constructor(
    private readonly clients: ClientsService,
    private readonly documents: DocumentClients,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
  ) {}

  /** Only this response contains the secret of a confidential client. */
  async create(
    { site, person }: AccountContext,
    wanted: NewApplication,
  ): Promise<OAuthClient & { client_secret?: string }> {
    check(wanted);
    const { confidential, ...definition } = wanted;
    const client_secret = confidential ? randomToken() : undefined;
    return this.outbox.transaction(async (manager) => {
      const made = await this.clients.create(manager, site.site_id, 'site', {
        ...definition,
        client_secret,
        audience: 'member',
      });
      const entry = { event: 'operator.acted', site_id: site.site_id, person_id: person.person_id } as const;
      await this.audit.record({ ...entry, client_id: made.client_id, details: { act: 'client.created' } }, manager);
      return { ...made, ...(client_secret === undefined ? {} : { client_secret }) };
    });
  }

  async change({ site, person }: AccountContext, client_id: string, options: ApplicationOptions): Promise<void> {
    checkUris(options.post_logout_redirect_uris);
    await this.outbox.transaction(async (manager) => {
      await this.clients.revise(manager, client_id, site.site_id, options);
      const entry = { event: 'operator.acted', site_id: site.site_id, person_id: person.person_id, client_id } as const;
      await this.audit.record({ ...entry, details: { act: 'client.changed', ...options } }, manager);
    });
  }

  async delete({ site, person }: AccountContext, client_id: string): Promise<void> {
    const made = await this.clients.madeAtSite(site.site_id, MAX_LISTED);
    if (!made.some((client) => client.client_id === client_id))
      throw new ApiError('not_found', 'The client does not exist');
    await this.outbox.transaction(async (manager) => {
      await this.clients.remove(manager, client_id, site.site_id);
      const entry = { event: 'operator.acted', site_id: site.site_id, person_id: person.person_id, client_id } as const;
      await this.audit.record({ ...entry, details: { act: 'client.deleted' } }, manager);
    });
  }

  async review({ site, person }: AccountContext, client_id: string, review: Review): Promise<void> {
    await this.outbox.transaction(async (manager) => {
      await this.documents.review(manager, site.site_id, client_id, review);
      const entry = { event: 'operator.acted', site_id: site.site_id, person_id: person.person_id, client_id } as const;
      await this.audit.record({ ...entry, details: { act: 'client.reviewed', review } }, manager);
    });
  }
}

/** The number of applications on one page. */
export const MAX_LISTED = 500;
