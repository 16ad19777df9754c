import { Module } from '@nestjs/common';
import { MailsRepository } from './mails.repository.js';
import { MailsService } from './mails.service.js';

@Module({
  providers: [MailsRepository, MailsService],
  exports: [MailsService],
})
export class MailsModule {}
