import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { GrantsModule } from '#src/grants/grants.module.js';
import { ClientSecrets } from './client-secrets.service.js';
import { ClientsRepository } from './clients.repository.js';
import { ClientsService } from './clients.service.js';

@Module({
  imports: [AuditModule, GrantsModule],
  providers: [ClientSecrets, ClientsRepository, ClientsService],
  exports: [ClientSecrets, ClientsService],
})
export class ClientsModule {}
