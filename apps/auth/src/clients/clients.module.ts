import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { GrantsModule } from '#src/grants/grants.module.js';
import { ClientsRepository } from './clients.repository.js';
import { ClientsService } from './clients.service.js';

@Module({
  imports: [AuditModule, GrantsModule],
  providers: [ClientsRepository, ClientsService],
  exports: [ClientsService],
})
export class ClientsModule {}
