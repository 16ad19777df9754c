import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { SecretKeys } from '@lyceum/platform';
import { ConnectionCursors } from './cursor.js';

@Module({})
export class PagingModule {
  static forRoot(keys: SecretKeys): DynamicModule {
    return {
      module: PagingModule,
      global: true,
      providers: [{ provide: ConnectionCursors, useValue: new ConnectionCursors(keys) }],
      exports: [ConnectionCursors],
    };
  }
}
