import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { withActingDevice } from './acting-device.js';
import type { AuditEntry } from './audit-entry.js';
import type { AuditFilter } from './audit-filter.policy.js';
import { AuditMetrics } from './audit.metrics.js';
import { AuditRepository } from './audit.repository.js';
import type { AuditRow } from './audit-row.js';

/** Entries that the export reads with one statement. */
const BATCH = 1_000;

@Injectable()
export class AuditService {
  constructor(
    private readonly repository: AuditRepository,
    private readonly metrics: AuditMetrics,
  ) {}

  /** Writes an entry, with `manager` in its transaction. The counters include only written entries. */
  async record(entry: AuditEntry, manager?: EntityManager): Promise<void> {
    await this.repository.insert({ ...entry, details: withActingDevice(entry.details ?? {}) }, manager);
    this.metrics.recorded(entry);
  }

  /** The same for many entries, with one statement. */
  async recordAll(entries: readonly AuditEntry[], manager: EntityManager): Promise<void> {
    if (entries.length === 0) return;
    const complete = entries.map((entry) => ({ ...entry, details: withActingDevice(entry.details ?? {}) }));
    await this.repository.insertAll(complete, manager);
    for (const entry of entries) this.metrics.recorded(entry);
  }

  /** Names the account of a canonical address when it belongs to a member of the site. */
  async recordFailedSignIn(siteId: string, email: string, details: Readonly<Record<string, unknown>>): Promise<void> {
    await this.repository.insertFailedSignIn(siteId, email, withActingDevice(details));
    this.metrics.recorded({ event: 'sign_in.failed' });
  }

  /** A page of the entries of a site, newest first, and whether older ones exist. */
  async page(
    siteId: string,
    filter: AuditFilter,
    before: string | undefined,
    size: number,
  ): Promise<{ rows: AuditRow[]; more: boolean }> {
    const found = await this.repository.ofSite(siteId, filter, before, size + 1);
    return { rows: found.slice(0, size), more: found.length > size };
  }

  /** All entries of a site, newest first, in batches. No more than one batch is in memory. */
  async *all(siteId: string, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
    let before: string | undefined;
    do {
      const rows = await this.repository.ofSite(siteId, filter, before, BATCH);
      if (rows.length > 0) yield rows;
      before = rows.length < BATCH ? undefined : rows.at(-1)?.audit_id;
    } while (before !== undefined);
  }
}
