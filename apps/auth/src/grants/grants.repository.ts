import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { SessionEnd } from '#src/audit/audit-entry.js';
import { rows } from '#src/database/rows.js';
import type { ClientAudience } from '#src/scopes/grantable.policy.js';
import { allowedGrant } from './allowed-grant.js';
import type { Connections } from './connections.js';
import { endingSessions } from './ending-sessions.js';
import { isLive } from './live-grant.js';
import type { NewGrant } from './new-grant.js';

export interface RevokedGrant {
  readonly grant_id: string;
  readonly site_id: string;
  readonly person_id: string;
  readonly client_id: string;
}

export interface ActiveGrant extends RevokedGrant {
  readonly audience: ClientAudience;
  readonly scopes: readonly string[];
}

const COLUMNS = '$1, $2, p.person_id, c.client_key, c.client_id, c.audience, $5, to_timestamp($6)';
const REMEMBERED = {
  table: 'consents k',
  condition: `k.person_id = $3 AND k.client_key = c.client_key AND k.site_id = $2 AND k.resource = s.base_url
       AND k.expires_at > now() AND $8::text[] <@ k.scopes`,
};
/** Locks a remembered approval as well. The redemption of the code checks the roles. */
const INSERT = {
  name: 'grant_insert',
  text: `
    INSERT INTO grants (grant_id, site_id, person_id, client_key, client_id, audience, payload, expires_at)
    ${allowedGrant(COLUMNS, REMEMBERED)}
    RETURNING grant_id`,
};
const FIND = {
  name: 'grant_find',
  text: `SELECT payload FROM grants g WHERE grant_id = $1 AND site_id = $2 AND ${isLive('g')}`,
};
const REVOKED = 'grant_id, site_id, person_id, client_id';

/** Reads at most $2 grants and one more, which says that there are more. Clients of platforms have no site. */
const CONNECTIONS = {
  name: 'site_connections',
  text: `
    select count(distinct (person_id, client_key))::int - (count(*) > $2)::int as count, count(*) > $2 as more from (
      select g.person_id, g.client_key
        from grants g join sites s using (site_id)
       where g.site_id = $1 and g.tools_used_at is not null and ${isLive('g')}
         and coalesce(g.payload #>> array['resources', s.base_url], '') <> ''
         and (exists (select from access_tokens t where t.grant_id = g.grant_id and t.expires_at > now())
           or exists (select from refresh_tokens t
                       where t.grant_id = g.grant_id and t.consumed_at is null and t.expires_at > now()))
       limit $2::int + 1) found`,
};

@Injectable()
export class GrantsRepository {
  constructor(private readonly sql: Sql) {}

  /**
   * False when site, client or approval are gone, the client lost a scope, or all grants of the person have ended
   * since.
   */
  async insert(grant: NewGrant): Promise<boolean> {
    const written = await this.sql.query(INSERT, [
      grant.grant_id,
      grant.site_id,
      grant.person_id,
      grant.client_id,
      JSON.stringify(grant.payload),
      grant.expires_at,
      grant.sign_outs,
      grant.scopes,
    ]);
    return written.length === 1;
  }

  async payload(siteId: string, grantId: string): Promise<object | undefined> {
    const [row] = await this.sql.query<{ payload: object }>(FIND, [grantId, siteId]);
    return row?.payload;
  }

  /** Returns the live grants of a person, with their scopes at the resource of the site. */
  activeOfPerson(manager: EntityManager, siteId: string, personId: string): Promise<ActiveGrant[]> {
    return rows<ActiveGrant>(
      manager,
      `SELECT g.grant_id, g.site_id, g.person_id, g.client_id, g.audience,
              string_to_array(coalesce(g.payload #>> ARRAY['resources', s.base_url], ''), ' ') AS scopes
         FROM grants g JOIN sites s USING (site_id)
        WHERE g.person_id = $1 AND g.site_id = $2`,
      [personId, siteId],
    );
  }

  /** Counts the pairs of person and application that used the tools, and have a valid token, by `most` grants. */
  async connections(siteId: string, most: number): Promise<Connections> {
    const [row] = await this.sql.query<Connections>(CONNECTIONS, [siteId, most]);
    return row ?? { count: 0, more: false };
  }

  async idsOfApplication(
    manager: EntityManager,
    given: { person_id: string; site_id: string; client_key: string },
  ): Promise<string[]> {
    const found = await rows<{ grant_id: string }>(
      manager,
      'SELECT grant_id FROM grants WHERE person_id = $1 AND site_id = $2 AND client_key = $3',
      [given.person_id, given.site_id, given.client_key],
    );
    return found.map(({ grant_id }) => grant_id);
  }

  deleteById(manager: EntityManager, siteId: string, grantIds: readonly string[]): Promise<RevokedGrant[]> {
    return rows(manager, `DELETE FROM grants WHERE site_id = $1 AND grant_id = ANY($2) RETURNING ${REVOKED}`, [
      siteId,
      grantIds,
    ]);
  }

  deleteOfPerson(manager: EntityManager, personId: string): Promise<RevokedGrant[]> {
    return rows(manager, `DELETE FROM grants WHERE person_id = $1 RETURNING ${REVOKED}`, [personId]);
  }

  deleteOfMember(manager: EntityManager, siteId: string, personId: string): Promise<RevokedGrant[]> {
    return rows(manager, `delete from grants where site_id = $1 and person_id = $2 returning ${REVOKED}`, [
      siteId,
      personId,
    ]);
  }

  /** Makes concurrent sign-ins and authorizations fail. */
  async signOut(manager: EntityManager, personId: string): Promise<void> {
    await manager.query('UPDATE people SET sign_outs = sign_outs + 1 WHERE person_id = $1', [personId]);
  }

  async endSessionsOfPerson(manager: EntityManager, personId: string, reason: SessionEnd): Promise<void> {
    await manager.query(endingSessions('person_id = $2'), [reason, personId]);
  }

  async endSessionsOfMember(
    manager: EntityManager,
    siteId: string,
    personId: string,
    reason: SessionEnd,
  ): Promise<void> {
    await manager.query(endingSessions('person_id = $2 and site_id = $3'), [reason, personId, siteId]);
  }
}
