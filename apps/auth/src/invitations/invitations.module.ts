import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';

@Module({
  imports: [AuditModule, PeopleModule],
  providers: [InvitationsRepository, InvitationsService],
  exports: [InvitationsService],
})
export class InvitationsModule {}
