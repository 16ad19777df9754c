import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { SecretKeys } from '@lyceum/platform';
import { DownloadLinks } from './download-links.js';
import { SchoolFiles } from './school-files.js';

@Module({})
export class DownloadLinksModule {
  static forRoot(keys: SecretKeys): DynamicModule {
    return {
      module: DownloadLinksModule,
      global: true,
      providers: [{ provide: DownloadLinks, useValue: new DownloadLinks(keys) }, SchoolFiles],
      exports: [DownloadLinks, SchoolFiles],
    };
  }
}
