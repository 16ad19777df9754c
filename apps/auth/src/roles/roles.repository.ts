import { Injectable } from '@nestjs/common';
import type { Role } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { rows } from '#src/database/rows.js';
import type { Person } from '#src/people/person.js';

export interface SiteRoles {
  readonly site_id: string;
  readonly person_id: string;
  readonly roles: readonly Role[];
  readonly version: number;
  readonly joined_at: Date;
}

const COLUMNS = 'site_id, person_id, roles, version, joined_at';

@Injectable()
export class RolesRepository {
  /** The row, locked for the rest of the transaction; made empty when there is none (version 0: never told anybody). */
  async lock(manager: EntityManager, siteId: string, personId: string): Promise<SiteRoles> {
    const values = [siteId, personId];
    await manager.query(
      `INSERT INTO site_roles (site_id, person_id, roles, version) VALUES ($1, $2, '{}', 0) ON CONFLICT DO NOTHING`,
      values,
    );
    const [row] = await rows<SiteRoles>(
      manager,
      `SELECT ${COLUMNS} FROM site_roles WHERE site_id = $1 AND person_id = $2 FOR UPDATE`,
      values,
    );
    if (row === undefined) throw new Error('The row of roles vanished while locked');
    return row;
  }

  async sitesOf(manager: EntityManager, personId: string): Promise<string[]> {
    const found = await rows<{ site_id: string }>(manager, 'SELECT site_id FROM site_roles WHERE person_id = $1', [
      personId,
    ]);
    return found.map(({ site_id }) => site_id);
  }

  /** The next ones by site and person that were ever told, with whose they are, unchanged until the transaction ends. */
  share(
    manager: EntityManager,
    [siteId, personId]: readonly string[],
    limit: number,
  ): Promise<(SiteRoles & Pick<Person, 'email' | 'name'>)[]> {
    return rows(
      manager,
      `SELECT r.site_id, r.person_id, r.roles, r.version, r.joined_at, p.email, p.name
         FROM site_roles r JOIN people p ON p.person_id = r.person_id
        WHERE (r.site_id, r.person_id) > ($1, $2) AND r.version > 0
        ORDER BY r.site_id, r.person_id LIMIT $3 FOR SHARE`,
      [siteId, personId, limit],
    );
  }

  /** Who comes back after having left joins anew. */
  async save(manager: EntityManager, siteId: string, personId: string, roles: readonly Role[]): Promise<SiteRoles> {
    const [row] = await rows<SiteRoles>(
      manager,
      `UPDATE site_roles SET joined_at = CASE WHEN roles = '{}' THEN now() ELSE joined_at END,
              roles = $3, version = version + 1
        WHERE site_id = $1 AND person_id = $2 RETURNING ${COLUMNS}`,
      [siteId, personId, roles],
    );
    if (row === undefined) throw new Error('The row of roles vanished while locked');
    return row;
  }
}
