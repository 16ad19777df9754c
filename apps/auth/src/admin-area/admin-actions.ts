import { Injectable } from '@nestjs/common';
import { Outbox } from '@lyceum/messaging';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { ClientSecrets } from '#src/clients/client-secrets.service.js';
import type { OAuthClient } from '#src/clients/client.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { SECRET_OVERLAPS } from '#src/clients/secret-overlap.policy.js';
import type { SecretOverlap } from '#src/clients/secret-overlap.policy.js';
import { randomToken } from '#src/secrets/digest.js';
import { audienceOf } from './application.policy.js';
import type { ApplicationFields, ApplicationKind } from './application.policy.js';
import { SubmissionsRepository } from './submissions.repository.js';

export interface NewApplication extends ApplicationFields {
  /** The token of the form, which creates one application. */
  readonly form: string;
  readonly confidential: boolean;
}

/** Operations of owners and admins on the applications of their site. Each is audited with its actor. */
@Injectable()
export class AdminActions {
  constructor(
    private readonly clients: ClientsService,
    private readonly secrets: ClientSecrets,
    private readonly outbox: Outbox,
    private readonly submissions: SubmissionsRepository,
  ) {}

  /** The client_id of the new application, or of the one that the same form created before. */
  create(
    { site, person, session }: AccountContext,
    kind: ApplicationKind,
    { confidential, form, ...definition }: NewApplication,
  ): Promise<string> {
    const { site_id } = site;
    const submission = { site_id, session_uid: session.uid, token: form };
    return this.outbox.transaction(async (manager) => {
      const earlier = await this.submissions.begin(manager, submission);
      if (earlier !== undefined) return earlier;
      const client_secret = confidential ? randomToken() : undefined;
      const client = { ...definition, client_secret, audience: audienceOf(kind) };
      const { client_id } = await this.clients.create(manager, site_id, 'site', client, person.person_id);
      await this.submissions.finish(manager, submission, { client_id, client_secret });
      return client_id;
    });
  }

  /** Returns the changed application. `revise` receives the current fields, locked. */
  change(
    { site, person }: AccountContext,
    client_id: string,
    revise: (current: ApplicationFields) => Partial<ApplicationFields>,
  ): Promise<OAuthClient> {
    return this.outbox.transaction((manager) =>
      this.clients.revise(manager, client_id, site.site_id, revise, person.person_id),
    );
  }

  /** Rotates once for each form. */
  async rotate(
    { site, person, session }: AccountContext,
    { client_id, form, overlap }: { client_id: string; form: string; overlap: SecretOverlap },
  ): Promise<void> {
    const { site_id } = site;
    const submission = { site_id, session_uid: session.uid, token: form };
    await this.outbox.transaction(async (manager) => {
      if ((await this.submissions.begin(manager, submission)) !== undefined) return;
      const secret = randomToken();
      const rotation = { client_id, site_id, secret, overlap: SECRET_OVERLAPS[overlap], actor: person.person_id };
      await this.secrets.rotate(manager, rotation);
      await this.submissions.finish(manager, submission, { client_id, client_secret: secret });
    });
  }

  async endPreviousSecret({ site, person }: AccountContext, client_id: string): Promise<void> {
    const ending = { client_id, site_id: site.site_id, actor: person.person_id };
    await this.outbox.transaction((manager) => this.secrets.endPrevious(manager, ending));
  }

  /** Undefined when the site has no such application, or no longer. */
  async delete({ site, person }: AccountContext, client_id: string): Promise<OAuthClient | undefined> {
    const client = await this.clients.ownOfSite(client_id, site.site_id);
    if (client === undefined) return undefined;
    await this.outbox.transaction((manager) => this.clients.remove(manager, client_id, site.site_id, person.person_id));
    return client;
  }
}
