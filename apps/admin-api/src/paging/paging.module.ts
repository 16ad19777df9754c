import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { Cursors } from './cursor.js';
import { Pager } from './pager.js';

@Global()
@Module({})
export class PagingModule {
  /** @param key of 32 bytes, the same in all replicas. Another one makes the cursors given out before invalid. */
  static forRoot(key: Buffer): DynamicModule {
    return {
      module: PagingModule,
      providers: [{ provide: Pager, useValue: new Pager(new Cursors(key)) }],
      exports: [Pager],
    };
  }
}
