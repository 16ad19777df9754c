import { Injectable } from '@nestjs/common';
import { AuditMetrics } from '#src/audit/audit.metrics.js';
import type { CountedEvent } from '#src/audit/audit-entry.js';
import { ClientsService } from '#src/clients/clients.service.js';

/** What goes with tokens that were given; the audit row, where there is one, was written with them. */
@Injectable()
export class TokenLedger {
  constructor(
    private readonly metrics: AuditMetrics,
    private readonly clients: ClientsService,
  ) {}

  /** Counts the events, and notes that the client is in use. */
  async record(clientKey: string, ...events: CountedEvent[]): Promise<void> {
    for (const event of events) this.metrics.recorded({ event });
    await this.clients.touch(clientKey);
  }
}
