import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { MailsModule } from '#src/mails/mails.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';

@Module({
  imports: [AuditModule, MailsModule, PeopleModule],
  providers: [InvitationsRepository, InvitationsService],
  exports: [InvitationsService],
})
export class InvitationsModule {}
