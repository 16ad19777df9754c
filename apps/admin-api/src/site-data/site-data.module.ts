import { Module } from '@nestjs/common';
import { SiteData } from './site-data.js';

/** Follows deletions of sites. Only the service imports it, so subcommands do not run them. */
@Module({ providers: [SiteData] })
export class SiteDataModule {}
