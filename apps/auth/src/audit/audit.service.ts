import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditEntry } from './audit-entry.js';
import { AuditRepository } from './audit.repository.js';

@Injectable()
export class AuditService {
  constructor(private readonly repository: AuditRepository) {}

  /** With a manager the entry stands or falls with its transaction. */
  record(entry: AuditEntry, manager?: EntityManager): Promise<void> {
    return this.repository.insert(entry, manager);
  }
}
