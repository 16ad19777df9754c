import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { ClientLogosModule } from '#src/client-logos/client-logos.module.js';
import { ClientsModule } from '#src/clients/clients.module.js';
import { ConsentsModule } from '#src/consents/consents.module.js';
import { SitesModule } from '#src/sites/sites.module.js';
import { DocumentClients } from './document-clients.service.js';
import { DocumentAdministration } from './document.administration.js';
import { DocumentsRepository } from './documents.repository.js';

/** The stored documents of clients, and their review. */
@Module({
  imports: [AuditModule, ClientLogosModule, ClientsModule, ConsentsModule, SitesModule],
  providers: [DocumentAdministration, DocumentClients, DocumentsRepository],
  exports: [DocumentAdministration, DocumentClients],
})
export class ClientDocumentsModule {}
