import { Module } from '@nestjs/common';
import { MembersModule } from '#src/members/members.module.js';
import { SitesModule } from '#src/sites/sites.module.js';
import { SiteData } from './site-data.js';

/** Deletes the data of deleted sites. Only the service imports it, because subcommands end before a pass does. */
@Module({ imports: [MembersModule, SitesModule], providers: [SiteData] })
export class SiteDataModule {}
