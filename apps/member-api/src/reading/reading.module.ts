import { Module } from '@nestjs/common';
import { MemberQueries } from './member-queries.service.js';
import { SourceCatalogue } from './source-catalogue.js';
import { ViewerRepository, viewerSources } from './viewer.repository.js';
import { ViewerService } from './viewer.service.js';

/** Reads selections beneath `viewer` from SQL. It knows no feature: each adds its sources to the catalogue. */
@Module({
  providers: [SourceCatalogue, ViewerRepository, ViewerService, MemberQueries],
  exports: [SourceCatalogue, ViewerService, MemberQueries],
})
export class ReadingModule {
  constructor(catalogue: SourceCatalogue) {
    catalogue.add(viewerSources);
  }
}
