import { Module } from '@nestjs/common';
import { JobsModule } from '@lyceum/jobs';
import { Mailer } from '@lyceum/mail';
import { AuthSettings } from '#src/auth.environment.js';
import { MailsModule } from './mails.module.js';
import { MailsQueue } from './mails.queue.js';
import { MailsWorker } from './mails.worker.js';

/** Sends the queued mails. Commands only queue them, because the process of a command may end before a retry. */
@Module({
  imports: [JobsModule, MailsModule],
  providers: [
    { provide: Mailer, inject: [AuthSettings], useFactory: ({ values }: AuthSettings) => new Mailer(values) },
    MailsQueue,
    MailsWorker,
  ],
})
export class MailDeliveryModule {}
