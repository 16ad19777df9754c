import { Injectable } from '@nestjs/common';
import { JobMetrics, JobWorker } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { RemindersQueue } from './reminders.queue.js';
import type { DueReminder } from './reminders.queue.js';
import { RemindersService } from './reminders.service.js';

const PAUSE_MS = 1_000;

@Injectable()
export class RemindersWorker extends JobWorker<DueReminder> {
  constructor(
    queue: RemindersQueue,
    metrics: JobMetrics,
    private readonly reminders: RemindersService,
  ) {
    super(queue, metrics, PAUSE_MS);
  }

  protected override run(reminder: Job<DueReminder>): Promise<void> {
    return this.reminders.send(reminder);
  }
}
