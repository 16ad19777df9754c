import { Injectable } from '@nestjs/common';
import { REVOCATION_SUBJECT } from '@lyceum/contracts';
import type { Revocation, Role } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { uuidv7 } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { RevocationReason } from '#src/audit/audit-entry.js';
import { AuditService } from '#src/audit/audit.service.js';
import { grantableScopes } from '#src/scopes/grantable.policy.js';
import type { Connections } from './connections.js';
import { GrantEndingsRepository } from './grant-endings.repository.js';
import { GrantsRepository } from './grants.repository.js';
import type { RevokedGrant } from './grants.repository.js';
import type { NewGrant } from './new-grant.js';

/** Grants that a page counts at most. */
const COUNTED = 10_000;

type Scope = Pick<Revocation, 'kind' | 'subject' | 'site_id'>;

/**
 * Grants and their revocation. Deleting a grant deletes its code and tokens. The broadcast that clears the caches of
 * resource servers is always written in the same transaction, so no revocation is lost.
 */
@Injectable()
export class GrantsService {
  constructor(
    private readonly grants: GrantsRepository,
    private readonly endings: GrantEndingsRepository,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
  ) {}

  /**
   * False when site, client or approval are gone, the client lost a scope, or all grants of the person have ended
   * since.
   */
  save(grant: NewGrant): Promise<boolean> {
    return this.grants.insert(grant);
  }

  find(siteId: string, grantId: string): Promise<object | undefined> {
    return this.grants.payload(siteId, grantId);
  }

  /** The connections of people with applications that used the tools of a site. */
  connections(siteId: string): Promise<Connections> {
    return this.grants.connections(siteId, COUNTED);
  }

  async revoke(siteId: string, grantId: string, reason: RevocationReason): Promise<void> {
    await this.outbox.transaction(async (manager) => {
      await this.#revokeById(manager, siteId, [grantId], reason);
    });
  }

  /**
   * After a change of roles: ends the grants that the person could no longer authorize. Cached introspection results of
   * the other tokens have the former roles, so resource servers drop them.
   */
  async revokeBeyondRoles(
    manager: EntityManager,
    siteId: string,
    personId: string,
    roles: readonly Role[],
  ): Promise<void> {
    await this.#broadcast(manager, { kind: 'person', subject: personId, site_id: siteId });
    const live = await this.grants.activeOfPerson(manager, siteId, personId);
    const beyond = live.filter(({ audience, scopes }) => {
      const grantable = grantableScopes(audience, roles, scopes);
      return !grantable.allowed || grantable.withheld.length > 0;
    });
    if (beyond.length === 0) return;
    await this.#revokeById(
      manager,
      siteId,
      beyond.map(({ grant_id }) => grant_id),
      'roles_changed',
    );
  }

  /** Revokes all grants of a person at every site, and ends all browser sessions. */
  async revokeOfPerson(manager: EntityManager, personId: string, reason: RevocationReason): Promise<void> {
    // First: afterwards a concurrent sign-in is either written or fails.
    await this.grants.signOut(manager, personId);
    const revoked = await this.grants.deleteOfPerson(manager, personId);
    await this.grants.endSessionsOfPerson(manager, personId, reason);
    await this.#broadcast(manager, { kind: 'person', subject: personId, site_id: null });
    await this.#record(manager, revoked, reason);
  }

  /**
   * At one site; also signs the person out there. The caller has locked the membership, so no other sign-in is running.
   */
  async revokeOfMember(
    manager: EntityManager,
    siteId: string,
    personId: string,
    reason: RevocationReason,
  ): Promise<void> {
    const revoked = await this.grants.deleteOfMember(manager, siteId, personId);
    await this.grants.endSessionsOfMember(manager, siteId, personId, reason);
    await this.#broadcast(manager, { kind: 'person', subject: personId, site_id: siteId });
    await this.#record(manager, revoked, reason);
  }

  /** The grants of one person to one application at one site. */
  async revokeOfApplication(
    manager: EntityManager,
    given: { person_id: string; site_id: string; client_key: string },
  ): Promise<void> {
    const grantIds = await this.grants.idsOfApplication(manager, given);
    await this.#revokeById(manager, given.site_id, grantIds, 'revoked_by_person');
  }

  /** All of them have ended when the transaction is committed, even if rows of grants are left (ADR 198). */
  async revokeOfClient(
    manager: EntityManager,
    client: { client_key: string; client_id: string; site_id: string | null },
    reason: RevocationReason = 'client_deleted',
  ): Promise<void> {
    const target = { target: 'client', target_id: client.client_key } as const;
    const revoked = await this.endings.end(manager, target, reason);
    await this.#broadcast(manager, { kind: 'client', subject: client.client_id, site_id: client.site_id });
    await this.#record(manager, revoked, reason);
  }

  /** As with the grants of a client. */
  async revokeOfSite(manager: EntityManager, siteId: string, reason: RevocationReason): Promise<void> {
    const revoked = await this.endings.end(manager, { target: 'site', target_id: siteId }, reason);
    await this.#broadcast(manager, { kind: 'site', subject: siteId, site_id: siteId });
    await this.#record(manager, revoked, reason);
  }

  /** Deletes a batch of rows of grants that have ended with their site or client. Returns their number. */
  deleteEnded(): Promise<number> {
    return this.outbox.transaction(async (manager) => {
      const ending = await this.endings.take(manager);
      if (ending === undefined) return 0;
      const deleted = await this.endings.deleteBatch(manager, ending);
      await this.#record(manager, deleted, ending.reason);
      return deleted.length;
    });
  }

  async #revokeById(
    manager: EntityManager,
    siteId: string,
    grantIds: readonly string[],
    reason: RevocationReason,
  ): Promise<void> {
    const revoked = await this.grants.deleteById(manager, siteId, grantIds);
    for (const { grant_id, site_id } of revoked) {
      await this.#broadcast(manager, { kind: 'grant', subject: grant_id, site_id });
    }
    await this.#record(manager, revoked, reason);
  }

  #broadcast(manager: EntityManager, scope: Scope): Promise<void> {
    const revocation: Revocation = { id: uuidv7(), ...scope, occurred_at: new Date().toISOString() };
    return this.outbox.broadcast(manager, REVOCATION_SUBJECT, revocation);
  }

  #record(manager: EntityManager, revoked: readonly RevokedGrant[], reason: RevocationReason): Promise<void> {
    const entries = revoked.map(({ grant_id, ...of }) => ({
      event: 'grants.revoked' as const,
      ...of,
      details: { grant_id, reason },
    }));
    return this.audit.recordAll(entries, manager);
  }
}
