import { Injectable } from '@nestjs/common';
import { ClientLogos } from '#src/client-logos/client-logos.service.js';
import type { OAuthClient } from '#src/clients/client.js';
import { ConsentService } from '#src/consents/consent.service.js';
import type { ConsentQuestion } from '#src/consents/consent.service.js';
import { readAsMember } from '#src/edge/reader.js';
import { PeopleService } from '#src/people/people.service.js';
import type { PendingInteraction } from '#src/provider/authorization/open-interaction.js';
import type { Granting } from '#src/provider/engine/new-grants.js';
import { onlyShown } from '#src/scopes/grantable.policy.js';
import type { Grantable } from '#src/scopes/grantable.policy.js';

interface ShownQuestion {
  readonly person: { readonly name: string; readonly email: string };
  readonly grantable: Grantable;
  /** The scopes that the person approved before. */
  readonly approved: readonly string[];
  /** The path of the logo of an approved client. */
  readonly logo: string | undefined;
}

/** The consent question, and the effect of a decision. */
@Injectable()
export class ConsentDecisions {
  constructor(
    private readonly consent: ConsentService,
    private readonly people: PeopleService,
    private readonly logos: ClientLogos,
  ) {}

  /** Undefined when the session has ended. */
  async question(pending: PendingInteraction, client: OAuthClient): Promise<ShownQuestion | undefined> {
    const question = questionOf(pending, client);
    if (question === undefined) return undefined;
    const person = await this.people.atSite(question.person_id, question.site_id);
    if (person === undefined) return undefined;
    readAsMember(person);
    const [approved, logo] = await Promise.all([
      this.consent.approved(question),
      this.logos.pathOf(question.site_id, client),
    ]);
    return { person, grantable: this.consent.grantableBy(person, question), approved, logo };
  }

  /** Undefined when the person may not grant it. Checks the current roles, not those at the time of the page. */
  async approve(
    pending: PendingInteraction,
    client: OAuthClient,
    shown: readonly string[],
  ): Promise<Granting | undefined> {
    const question = questionOf(pending, client);
    if (question === undefined) return undefined;
    const grantable = onlyShown(await this.consent.grantable(question), shown);
    if (!grantable.allowed) return undefined;
    await this.consent.approve(question, grantable.granted);
    return grantable;
  }

  /** Returns the result for the client. */
  async deny(pending: PendingInteraction, client: OAuthClient): Promise<string> {
    const question = questionOf(pending, client);
    if (question === undefined) return 'The person did not sign in.';
    await this.consent.deny(question);
    const { allowed } = await this.consent.grantable(question);
    return allowed ? 'The person did not allow it.' : 'The person may not allow this application at this site.';
  }
}

function questionOf(pending: PendingInteraction, client: OAuthClient): ConsentQuestion | undefined {
  const { person_id, site, scopes } = pending;
  if (person_id === undefined) return undefined;
  return { person_id, site_id: site.site_id, resource: site.base_url, client, scopes };
}
