import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { JobsModule } from '@lyceum/jobs';
import { Mailer } from '@lyceum/mail';
import type { MailConfiguration } from '@lyceum/mail';
import type { SecretKeys } from '@lyceum/platform';
import { NotificationSubscriptionsModule } from '#src/notification-subscriptions/notification-subscriptions.module.js';
import { MailsQueue } from './mails.queue.js';
import { MailsRepository } from './mails.repository.js';
import { MailsService } from './mails.service.js';
import { MailsWorker } from './mails.worker.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';
import { UnsubscribeController } from './unsubscribe.controller.js';

@Module({})
export class MailsModule {
  /** `keys` sign the links in mails. */
  static forRoot(mail: MailConfiguration, keys: SecretKeys): DynamicModule {
    return {
      module: MailsModule,
      imports: [JobsModule, NotificationSubscriptionsModule],
      providers: [
        { provide: Mailer, useValue: new Mailer(mail) },
        { provide: UnsubscribeLinks, useValue: new UnsubscribeLinks(keys) },
        MailsQueue,
        MailsRepository,
        MailsService,
        MailsWorker,
      ],
      controllers: [UnsubscribeController],
      exports: [MailsService],
    };
  }
}
