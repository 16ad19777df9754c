import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { SecretKeys } from '@lyceum/platform';
import { RateLimitModule } from '@lyceum/rate-limit';
import { BulkWrites } from './bulk/bulk-writes.js';
import { IdempotencyPurge } from './idempotency/idempotency.purge.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { IdempotentCommands } from './idempotency/idempotent-commands.js';
import { IdempotentWrites } from './idempotency/idempotent-writes.js';
import { IdempotencyRunner } from './idempotency/idempotency-runner.js';
import { ItemQuotas } from './limits/item-quotas.js';
import { RateLimits } from './limits/rate-limits.js';
import { Cursors } from './paging/cursor.js';
import { Pager } from './paging/pager.js';

/** Provides paging and idempotent writes, also to subcommands. Needs `DatabaseModule` and `MessagingModule`. */
@Module({})
export class RestModule {
  /** @param cursorKeys equal in all replicas. A cursor is valid while its key is among them. */
  static forRoot({ cursorKeys }: { readonly cursorKeys: SecretKeys }): DynamicModule {
    const cursors = new Cursors(cursorKeys);
    return {
      module: RestModule,
      global: true,
      imports: [RateLimitModule],
      providers: [
        { provide: Cursors, useValue: cursors },
        { provide: Pager, useValue: new Pager(cursors) },
        IdempotencyRunner,
        IdempotentWrites,
        BulkWrites,
        ItemQuotas,
        IdempotentCommands,
        IdempotencyRepository,
        IdempotencyPurge,
      ],
      exports: [Cursors, Pager, IdempotentWrites, BulkWrites, ItemQuotas, IdempotentCommands],
    };
  }
}

/** Provides the dependencies of `useRest(app)`. */
@Module({ imports: [RateLimitModule], providers: [RateLimits] })
export class RestEdgeModule {}
