import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '#src/audit/audit.service.js';
import type { MemberOfSite } from '#src/people/claims.policy.js';
import { PeopleService } from '#src/people/people.service.js';
import { covers, grantableScopes } from '#src/scopes/grantable.policy.js';
import type { ClientAudience, Grantable } from '#src/scopes/grantable.policy.js';
import { ConsentsRepository } from './consents.repository.js';
import type { ConsentKey } from './consents.repository.js';

export interface ConsentQuestion {
  readonly person_id: string;
  readonly site_id: string;
  readonly resource: string;
  readonly client: { readonly client_key: string; readonly client_id: string; readonly audience: ClientAudience };
  readonly scopes: readonly string[];
}

/** Decides which person may grant which client which scopes, and remembers approvals. */
@Injectable()
export class ConsentService {
  constructor(
    private readonly consents: ConsentsRepository,
    private readonly people: PeopleService,
    private readonly audit: AuditService,
  ) {}

  /** The scopes that the roles of the person at the site allow the client. */
  async grantable(question: ConsentQuestion): Promise<Grantable> {
    const person = await this.people.atSite(question.person_id, question.site_id);
    return person === undefined ? { allowed: false } : this.grantableBy(person, question);
  }

  /** The same of a person who was read in this request. */
  grantableBy({ roles }: Pick<MemberOfSite, 'roles'>, { client, scopes }: ConsentQuestion): Grantable {
    return grantableScopes(client.audience, roles, scopes);
  }

  /** The approved scopes that are still allowed. `person`: if read in this request. */
  async remembered(question: ConsentQuestion, person?: Pick<MemberOfSite, 'roles'>): Promise<Grantable> {
    const [grantable, approved] = await Promise.all([
      person === undefined ? this.grantable(question) : this.grantableBy(person, question),
      this.consents.remembered(keyOf(question)),
    ]);
    return grantable.allowed && covers(approved, grantable.granted) ? grantable : { allowed: false };
  }

  /** The scopes that were approved within the last 90 days, and the person. Without one who may not use the site. */
  async memberAndApproved(
    question: ConsentQuestion,
  ): Promise<{ readonly member: MemberOfSite | undefined; readonly approved: readonly string[] }> {
    const { approved = [], ...member } = (await this.consents.memberAndRemembered(keyOf(question))) ?? {};
    return { member: 'person_id' in member ? member : undefined, approved };
  }

  /** Forgets all approvals of a client, because it is no longer the approved one. */
  forgetClient(manager: EntityManager, clientKey: string): Promise<void> {
    return this.consents.forgetClient(manager, clientKey);
  }

  /** Forgets the approval of one person. */
  withdraw(manager: EntityManager, key: Pick<ConsentKey, 'person_id' | 'site_id' | 'client_key'>): Promise<void> {
    return this.consents.withdraw(manager, key);
  }

  async deny({ person_id, site_id, client }: ConsentQuestion): Promise<void> {
    await this.audit.record({ event: 'consent.denied', site_id, person_id, client_id: client.client_id });
  }
}

function keyOf({ person_id, site_id, resource, client }: ConsentQuestion): ConsentKey {
  return { person_id, site_id, resource, client_key: client.client_key };
}
