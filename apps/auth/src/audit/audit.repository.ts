import { Injectable } from '@nestjs/common';
import { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import type { AuditEntry } from './audit-entry.js';

const TEXT = `INSERT INTO audit_log (event, site_id, person_id, client_id, details) VALUES ($1, $2, $3, $4, $5)`;
const INSERT = { name: 'audit_insert', text: TEXT };

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
}
