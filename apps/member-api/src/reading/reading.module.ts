import { Module } from '@nestjs/common';
import { MemberQueries } from './member-queries.service.js';
import { SourceCatalogue } from './source-catalogue.js';
import { ViewerRepository, viewerSources } from './viewer.repository.js';
import { ViewerService } from './viewer.service.js';

/** Reads selections below `viewer` from SQL. Each feature adds its own sources to the catalog. */
@Module({
  providers: [SourceCatalogue, ViewerRepository, ViewerService, MemberQueries],
  exports: [SourceCatalogue, ViewerService, MemberQueries],
})
export class ReadingModule {
  constructor(catalogue: SourceCatalogue) {
    catalogue.add(viewerSources);
  }
}
