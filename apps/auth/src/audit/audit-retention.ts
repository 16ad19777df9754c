import { MonthlyPartitions } from '@lyceum/platform';
import { Injectable, Logger } from '@nestjs/common';
import { AuthSettings } from '#src/auth.environment.js';
import { DataSource } from 'typeorm';

/** Longer than most outages: rows of a month without a partition wait in the default partition. */
const MONTHS_AHEAD = 12;

/** Creates partitions of the audit log ahead of time, and drops those beyond the retention. */
@Injectable()
export class AuditRetention {
  readonly #logger = new Logger(AuditRetention.name);
  readonly #partitions: MonthlyPartitions;

  constructor(
    dataSource: DataSource,
    private readonly settings: AuthSettings,
  ) {
    this.#partitions = new MonthlyPartitions(dataSource, {
      name: 'audit_log',
      key: { column: 'audit_id', type: 'uuidv7' },
      appendOnly: 'audit_log_is_append_only',
    });
  }

  /** @param given the time of a test */
  async maintain(given?: Date): Promise<void> {
    const at = given ?? (await this.#partitions.now());
    await this.#partitions.prepare(MONTHS_AHEAD, at);
    const { AUDIT_LOG_MONTHS: months } = this.settings.values;
    if (months === 0) return;
    const oldest = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months, 1));
    for (const partition of await this.#partitions.expire(oldest))
      this.#logger.log(`dropped audit partition ${partition}, which is older than ${months} months`);
  }
}
