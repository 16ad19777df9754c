import { Injectable, Logger } from '@nestjs/common';
import { AuthSettings } from '#src/auth.environment.js';
import { AuditRepository } from './audit.repository.js';

/** Far more than any service stands still: a log without the partition of this month takes no row. */
const MONTHS_AHEAD = 12;

/** Makes the partitions of the audit log ahead of time, and drops those that the deployment does not keep. */
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
      this.#logger.log(`${partition} was dropped: its entries are older than ${months} months`);
  }
}
