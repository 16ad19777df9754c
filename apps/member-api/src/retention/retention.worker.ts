import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '@lyceum/platform';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { MailsService } from '#src/mails/mails.service.js';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import { RemindersService } from '#src/reminders/reminders.service.js';

const SWEEP_MS = 10 * 60_000;
/** Rows per transaction; a transaction locks them for some milliseconds. */
const BATCH = 500;

/** Injectable settings. */
export class Retention {
  constructor(readonly days: number) {}
}

/** Removes old rows in small batches, skipping locked ones. Replicas share the work. */
@Injectable()
export class RetentionWorker extends PeriodicWork {
  constructor(
    private readonly retention: Retention,
    private readonly notifications: NotificationsService,
    private readonly mails: MailsService,
    private readonly fanOuts: FanOutsService,
    private readonly reminders: RemindersService,
  ) {
    super(SWEEP_MS, 'what is old could not be removed');
  }

  /** Repeats until no old row is left. A sweep that fails does not stop the others; rejects after the last one then. */
  async run(signal: AbortSignal): Promise<void> {
    const sweeps = [
      () => this.notifications.sweep(this.retention.days, BATCH),
      () => this.mails.sweep(BATCH),
      () => this.fanOuts.endOld(BATCH),
      () => this.fanOuts.sweep(BATCH),
      () => this.reminders.sweep(BATCH),
    ];
    const errors: unknown[] = [];
    for (const sweep of sweeps) {
      try {
        while (!signal.aborted && (await sweep()) === BATCH);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${sweeps.length} sweeps failed`);
  }
}
