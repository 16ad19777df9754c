import { Injectable } from '@nestjs/common';
import { AuditMetrics } from '#src/audit/audit.metrics.js';
import type { CountedEvent } from '#src/audit/audit-entry.js';
import { ClientsService } from '#src/clients/clients.service.js';

/** Metrics and client use of issued tokens. Their audit entry, if any, is written with them. */
@Injectable()
export class TokenAudit {
  constructor(
    private readonly metrics: AuditMetrics,
    private readonly clients: ClientsService,
  ) {}

  /** Counts the events, and records the use of the client. */
  record(clientKey: string, ...events: CountedEvent[]): void {
    for (const event of events) this.metrics.recorded({ event });
    this.clients.touch(clientKey);
  }
}
