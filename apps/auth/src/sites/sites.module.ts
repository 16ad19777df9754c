import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { GrantsModule } from '#src/grants/grants.module.js';
import { SiteDirectoryPublisher } from './site-directory.publisher.js';
import { SiteDeletionsService } from './site-deletions.service.js';
import { SiteLookup } from './site-lookup.js';
import { SiteMovesService } from './site-moves.service.js';
import { SitesRepository } from './sites.repository.js';
import { SitesService } from './sites.service.js';

@Module({
  imports: [AuditModule, GrantsModule],
  providers: [
    SiteDeletionsService,
    SiteDirectoryPublisher,
    SiteLookup,
    SiteMovesService,
    SitesRepository,
    SitesService,
  ],
  exports: [SiteDeletionsService, SiteDirectoryPublisher, SiteLookup, SiteMovesService, SitesService],
})
export class SitesModule {}
