import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DownloadLinks } from './download-links.js';

@Module({})
export class DownloadLinksModule {
  static forRoot(key: Buffer): DynamicModule {
    return {
      module: DownloadLinksModule,
      global: true,
      providers: [{ provide: DownloadLinks, useValue: new DownloadLinks(key) }],
      exports: [DownloadLinks],
    };
  }
}
