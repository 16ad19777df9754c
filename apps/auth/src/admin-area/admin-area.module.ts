import { Module } from '@nestjs/common';
import { AccountsModule } from '#src/accounts/accounts.module.js';
import { AuditModule } from '#src/audit/audit.module.js';
import { ClientDocumentsModule } from '#src/client-documents/client-documents.module.js';
import { ClientsModule } from '#src/clients/clients.module.js';
import { AdminController } from './admin.controller.js';
import { AdminActions } from './admin-actions.js';
import { ActivityController } from './activity.controller.js';
import { AdminGuard } from './admin.guard.js';

@Module({
  imports: [AccountsModule, AuditModule, ClientDocumentsModule, ClientsModule],
  controllers: [ActivityController, AdminController],
  providers: [AdminActions, AdminGuard],
})
export class AdminAreaModule {}
