import { Module } from '@nestjs/common';
import { AccountsModule } from '#src/accounts/accounts.module.js';
import { AuditModule } from '#src/audit/audit.module.js';
import { ClientDocumentsModule } from '#src/client-documents/client-documents.module.js';
import { ClientsModule } from '#src/clients/clients.module.js';
import { GrantsModule } from '#src/grants/grants.module.js';
import { SitesModule } from '#src/sites/sites.module.js';
import { AdminController } from './admin.controller.js';
import { AdminActions } from './admin-actions.js';
import { ActivityController } from './activity.controller.js';
import { AdminGuard } from './admin.guard.js';
import { AppearanceController } from './appearance.controller.js';
import { ApplicationAccess } from './application-access.js';
import { ApplicationController } from './application.controller.js';
import { ApplicationsController } from './applications.controller.js';
import { AuditController } from './audit.controller.js';
import { ClientHostsController } from './client-hosts.controller.js';
import { ConnectionsController } from './connections.controller.js';
import { PageApplicationsController } from './page-applications.controller.js';
import { SchoolController } from './school.controller.js';
import { SettingsController } from './settings.controller.js';
import { SiteSettingsClient } from './site-settings.client.js';
import { SubmissionsRepository } from './submissions.repository.js';

@Module({
  imports: [AccountsModule, AuditModule, ClientDocumentsModule, ClientsModule, GrantsModule, SitesModule],
  controllers: [
    ActivityController,
    AdminController,
    AppearanceController,
    ApplicationController,
    ApplicationsController,
    AuditController,
    ClientHostsController,
    ConnectionsController,
    PageApplicationsController,
    SchoolController,
    SettingsController,
  ],
  providers: [AdminActions, AdminGuard, ApplicationAccess, SiteSettingsClient, SubmissionsRepository],
  exports: [AdminGuard],
})
export class AdminAreaModule {}
