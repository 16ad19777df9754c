import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { ConsentService } from './consent.service.js';
import { ConsentsRepository } from './consents.repository.js';

@Module({
  imports: [AuditModule, PeopleModule],
  providers: [ConsentsRepository, ConsentService],
  exports: [ConsentService],
})
export class ConsentsModule {}
