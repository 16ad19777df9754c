import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { Cursors } from './cursor.js';

@Module({})
export class PagingModule {
  static forRoot(key: Buffer): DynamicModule {
    return {
      module: PagingModule,
      global: true,
      providers: [{ provide: Cursors, useValue: new Cursors(key) }],
      exports: [Cursors],
    };
  }
}
