import { storeOf } from '@lyceum/storage';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { Configuration } from '#src/configuration.js';
import { FileStorage } from './file.storage.js';

@Module({})
export class StorageModule {
  static forRoot(config: Configuration): DynamicModule {
    const quota = { bytes: config.FILES_QUOTA_BYTES, openUploads: config.FILES_OPEN_UPLOADS };
    return {
      module: StorageModule,
      global: true,
      providers: [{ provide: FileStorage, useFactory: () => new FileStorage(storeOf(config), quota) }],
      exports: [FileStorage],
    };
  }
}
