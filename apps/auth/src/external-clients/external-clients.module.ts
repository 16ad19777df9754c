import { Module } from '@nestjs/common';
import { AccountsModule } from '#src/accounts/accounts.module.js';
import { AdminAreaModule } from '#src/admin-area/admin-area.module.js';
import { AuditModule } from '#src/audit/audit.module.js';
import { ClientDocumentsModule } from '#src/client-documents/client-documents.module.js';
import { ClientsModule } from '#src/clients/clients.module.js';
import { ExternalClients } from './external-clients.service.js';
import { ExternalClientsController } from './external-clients.controller.js';
import { ExternalClientsRepository } from './external-clients.repository.js';

@Module({
  imports: [AccountsModule, AdminAreaModule, AuditModule, ClientDocumentsModule, ClientsModule],
  controllers: [ExternalClientsController],
  providers: [ExternalClients, ExternalClientsRepository],
})
export class ExternalClientsModule {}
