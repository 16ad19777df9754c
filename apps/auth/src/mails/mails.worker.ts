import { Injectable } from '@nestjs/common';
import { JobMetrics, JobWorker, PermanentFailure } from '@lyceum/jobs';
import type { Job } from '@lyceum/jobs';
import { Mailer, isPermanent } from '@lyceum/mail';
import { errorMessage } from '@lyceum/platform';
import { mailText } from './mail-text.policy.js';
import { MailsQueue } from './mails.queue.js';
import type { WaitingMail } from './mails.queue.js';
import { MailsService } from './mails.service.js';

const PAUSE_MS = 500;

/** Sends each mail at least once: after a crash between sending and the end of the job, with the same Message-ID. */
@Injectable()
export class MailsWorker extends JobWorker<WaitingMail> {
  constructor(
    queue: MailsQueue,
    metrics: JobMetrics,
    private readonly mails: MailsService,
    private readonly mailer: Mailer,
  ) {
    super(queue, metrics, PAUSE_MS);
  }

  protected override async run(job: Job<WaitingMail>): Promise<void> {
    const mail = await this.mails.read(job);
    if (mail !== undefined) {
      try {
        await this.mailer.send(mailText(mail));
      } catch (error) {
        throw isPermanent(error) ? new PermanentFailure(errorMessage(error), { cause: error }) : error;
      }
    }
    await this.queue.end(job);
  }
}
