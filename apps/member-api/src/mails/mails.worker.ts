import { Injectable } from '@nestjs/common';
import { JobMetrics, JobWorker } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { MailsQueue } from './mails.queue.js';
import type { WaitingMail } from './mails.queue.js';
import { MailsService } from './mails.service.js';

const PAUSE_MS = 1_000;

@Injectable()
export class MailsWorker extends JobWorker<WaitingMail> {
  constructor(
    queue: MailsQueue,
    metrics: JobMetrics,
    private readonly mails: MailsService,
  ) {
    super(queue, metrics, PAUSE_MS);
  }

  protected override run(mail: Job<WaitingMail>): Promise<void> {
    return this.mails.send(mail);
  }
}
