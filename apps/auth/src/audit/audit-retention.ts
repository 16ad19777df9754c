import { Injectable, Logger } from '@nestjs/common';
import { AuthSettings } from '#src/auth.environment.js';
import { AuditRepository } from './audit.repository.js';

/** Longer than any outage: without the partition of the current month the log accepts no row. */
const MONTHS_AHEAD = 12;

/** Creates partitions of the audit log ahead of time, and drops those beyond the retention. */
@Injectable()
export class AuditRetention {
  readonly #logger = new Logger(AuditRetention.name);

  constructor(
    private readonly repository: AuditRepository,
    private readonly settings: AuthSettings,
  ) {}

  async maintain(at = new Date()): Promise<void> {
    await this.repository.prepare(MONTHS_AHEAD, at);
    const { AUDIT_LOG_MONTHS: months } = this.settings.values;
    if (months === 0) return;
    for (const partition of await this.repository.expire(months, at))
      this.#logger.log(`dropped audit partition ${partition}, which is older than ${months} months`);
  }
}
