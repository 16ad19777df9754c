import { Injectable } from '@nestjs/common';
import { ClientLogos } from '#src/client-logos/client-logos.service.js';
import type { OAuthClient } from '#src/clients/client.js';
import { ConsentService } from '#src/consents/consent.service.js';
import type { ConsentQuestion } from '#src/consents/consent.service.js';
import { readAsMember } from '#src/edge/reader.js';
import type { PendingInteraction } from '#src/provider/authorization/open-interaction.js';
import type { Asked } from '#src/provider/browser-state/interaction-reads.js';
import type { Approver } from '#src/provider/browser-state/approver.js';
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
    private readonly logos: ClientLogos,
  ) {}

  /** Undefined when the session has ended. `asked`: if read with the interaction. */
  async question(
    pending: PendingInteraction,
    client: OAuthClient,
    asked: Asked | undefined,
  ): Promise<ShownQuestion | undefined> {
    const question = questionOf(pending, client);
    if (question === undefined) return undefined;
    const [{ member, approved }, logo] = await Promise.all([
      asked ?? this.consent.memberAndApproved(question),
      this.logos.pathOf(question.site_id, client),
    ]);
    if (member === undefined) return undefined;
    readAsMember(member);
    return { person: member, grantable: this.consent.grantableBy(member, question), approved, logo };
  }

  /** Undefined when the person may not grant it. Checks the current roles, not those at the time of the page. */
  granting(
    { roles }: Approver,
    pending: PendingInteraction,
    client: OAuthClient,
    shown: readonly string[],
  ): Granting | undefined {
    const question = questionOf(pending, client);
    if (question === undefined) return undefined;
    const grantable = onlyShown(this.consent.grantableBy({ roles }, question), shown);
    return grantable.allowed ? grantable : undefined;
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
