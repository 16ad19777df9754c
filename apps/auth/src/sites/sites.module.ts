import { Module } from '@nestjs/common';
import { AuditModule } from '#src/audit/audit.module.js';
import { GrantsModule } from '#src/grants/grants.module.js';
import { SiteDirectoryPublisher } from './site-directory.publisher.js';
import { SiteLookup } from './site-lookup.js';
import { SitesRepository } from './sites.repository.js';
import { SitesService } from './sites.service.js';

@Module({
  imports: [AuditModule, GrantsModule],
  providers: [SiteDirectoryPublisher, SiteLookup, SitesRepository, SitesService],
  exports: [SiteLookup, SitesService],
})
export class SitesModule {}
