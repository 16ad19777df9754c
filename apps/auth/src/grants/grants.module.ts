import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { GrantsRepository } from './grants.repository.js';
import { GrantsService } from './grants.service.js';

@Module({
  imports: [AuditModule],
  providers: [GrantsRepository, GrantsService],
  exports: [GrantsService],
})
export class GrantsModule {}
