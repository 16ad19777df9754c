import { Module } from '@nestjs/common';
import { AccountModule } from '#src/account/account.module.js';
import { AuditModule } from '#src/audit/audit.module.js';
import { ClientDocumentsModule } from '#src/cimd/client-documents.module.js';
import { ClientsModule } from '#src/clients/clients.module.js';
import { AdminController } from './admin.controller.js';
import { OperatorActions } from './operator-actions.js';
import { Operators } from './operators.js';

@Module({
  imports: [AccountModule, AuditModule, ClientDocumentsModule, ClientsModule],
  controllers: [AdminController],
  providers: [OperatorActions, Operators],
})
export class AdminAreaModule {}
