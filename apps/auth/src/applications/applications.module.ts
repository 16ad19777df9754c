import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { ConsentsModule } from '#src/consents/consents.module.js';
import { GrantsModule } from '#src/grants/grants.module.js';
import { ApplicationsRepository } from './applications.repository.js';
import { ApplicationsService } from './applications.service.js';

@Module({
  imports: [AuditModule, ConsentsModule, GrantsModule],
  providers: [ApplicationsRepository, ApplicationsService],
  exports: [ApplicationsService],
})
export class ApplicationsModule {}
