import { Module } from '@nestjs/common';
import { MemberQueries } from './member-queries.service.js';
import { SourceCatalog } from './source-catalog.js';
import { ViewerRepository, viewerSources } from './viewer.repository.js';
import { ViewerService } from './viewer.service.js';

/** Reads selections below `viewer` from SQL. Each feature adds its own sources to the catalog. */
@Module({
  providers: [SourceCatalog, ViewerRepository, ViewerService, MemberQueries],
  exports: [SourceCatalog, ViewerService, MemberQueries],
})
export class ReadingModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(viewerSources);
  }
}
