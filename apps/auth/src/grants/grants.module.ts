import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { GrantEndingsRepository } from './grant-endings.repository.js';
import { GrantsRepository } from './grants.repository.js';
import { GrantsService } from './grants.service.js';

@Module({
  imports: [AuditModule],
  providers: [GrantEndingsRepository, GrantsRepository, GrantsService],
  exports: [GrantsService],
})
export class GrantsModule {}
