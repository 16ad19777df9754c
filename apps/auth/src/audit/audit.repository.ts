import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { AuditEntry } from './audit-entry.js';
import type { AuditRow } from './audit-row.js';

const TEXT = `INSERT INTO audit_log (event, site_id, person_id, client_id, details) VALUES ($1, $2, $3, $4, $5)`;
const INSERT = { name: 'audit_insert', text: TEXT };

/** The greatest UUIDv7. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Always bounded: PostgreSQL skips partitions beyond the bound, reads the others newest first, and stops early. */
const OF_SITE = {
  name: 'audit_of_site',
  text: `
    SELECT a.audit_id, a.occurred_at, a.event, a.client_id, a.details, p.email
      FROM audit_log a LEFT JOIN people p USING (person_id)
     WHERE a.site_id = $1 AND a.audit_id < $2
     ORDER BY a.audit_id DESC LIMIT $3`,
};

const values = (entry: AuditEntry): unknown[] => [
  entry.event,
  entry.site_id ?? null,
  entry.person_id ?? null,
  entry.client_id ?? null,
  JSON.stringify(entry.details ?? {}),
];

@Injectable()
export class AuditRepository {
  constructor(private readonly sql: Sql) {}

  async insert(entry: AuditEntry, manager?: EntityManager): Promise<void> {
    if (manager === undefined) await this.sql.query(INSERT, values(entry));
    else await manager.query(TEXT, values(entry));
  }

  /** Newest first, before the id `before`. */
  ofSite(siteId: string, before: string | undefined, limit: number): Promise<AuditRow[]> {
    return this.sql.query<AuditRow>(OF_SITE, [siteId, before ?? LAST_ID, limit]);
  }
}
