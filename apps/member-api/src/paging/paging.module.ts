import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { SecretKeys } from '@lyceum/platform';
import { Cursors } from './cursor.js';

@Module({})
export class PagingModule {
  static forRoot(keys: SecretKeys): DynamicModule {
    return {
      module: PagingModule,
      global: true,
      providers: [{ provide: Cursors, useValue: new Cursors(keys) }],
      exports: [Cursors],
    };
  }
}
