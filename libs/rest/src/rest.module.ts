import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { RateLimitModule } from '@lyceum/rate-limit';
import { IdempotencyPurge } from './idempotency/idempotency.purge.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { IdempotentCommands } from './idempotency/idempotent-commands.js';
import { IdempotentWrites } from './idempotency/idempotent-writes.js';
import { KeyedWork } from './idempotency/keyed-work.js';
import { RateLimits } from './limits/rate-limits.js';
import { Cursors } from './paging/cursor.js';
import { Pager } from './paging/pager.js';

/** Paging and idempotent writes, which commands of a service use too. Needs `DatabaseModule` and `MessagingModule`. */
@Module({})
export class RestModule {
  /** @param cursorKey 32 bytes, the same in all replicas. Another key makes the cursors of before invalid. */
  static forRoot({ cursorKey }: { readonly cursorKey: Buffer }): DynamicModule {
    return {
      module: RestModule,
      global: true,
      providers: [
        { provide: Pager, useValue: new Pager(new Cursors(cursorKey)) },
        KeyedWork,
        IdempotentWrites,
        IdempotentCommands,
        IdempotencyRepository,
        IdempotencyPurge,
      ],
      exports: [Pager, IdempotentWrites, IdempotentCommands],
    };
  }
}

/** What `useRest(app)` needs. */
@Module({ imports: [RateLimitModule], providers: [RateLimits] })
export class RestEdgeModule {}
