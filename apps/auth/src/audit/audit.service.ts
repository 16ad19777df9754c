import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditEntry } from './audit-entry.js';
import { AuditMetrics } from './audit.metrics.js';
import { AuditRepository } from './audit.repository.js';

@Injectable()
export class AuditService {
  constructor(
    private readonly repository: AuditRepository,
    private readonly metrics: AuditMetrics,
  ) {}

  /** With a manager the entry stands or falls with its transaction; the counters tell of those that were written. */
  async record(entry: AuditEntry, manager?: EntityManager): Promise<void> {
    await this.repository.insert(entry, manager);
    this.metrics.recorded(entry);
  }
}
