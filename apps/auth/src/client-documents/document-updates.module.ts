import { OutboundNetwork } from '@lyceum/platform';
import { Module } from '@nestjs/common';
import { LimitsModule } from '#src/limits/limits.module.js';
import { ClientDocumentsModule } from './client-documents.module.js';
import { DocumentFetcher } from './document.fetcher.js';
import { ClientDocuments } from './documents.service.js';

/** Fetches documents before an authorization. The command line does not need it. */
@Module({
  imports: [ClientDocumentsModule, LimitsModule],
  providers: [DocumentFetcher, ClientDocuments, OutboundNetwork],
  exports: [ClientDocuments],
})
export class DocumentUpdatesModule {}
