import { Module } from '@nestjs/common';
import { SiteData } from './site-data.js';

@Module({ providers: [SiteData] })
export class SiteDataModule {}
