import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { RateLimitModule } from '@lyceum/rate-limit';
import { IdempotencyPurge } from './idempotency/idempotency.purge.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { IdempotentWrites } from './idempotency/idempotent-writes.js';
import { RateLimitInterceptor } from './limits/rate-limit.interceptor.js';
import { Cursors } from './paging/cursor.js';
import { Pager } from './paging/pager.js';
import { ResponseInterceptor } from './responses/response.interceptor.js';
import { SchemaPipe } from './validation/schema.pipe.js';

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
        IdempotentWrites,
        IdempotencyRepository,
        IdempotencyPurge,
      ],
      exports: [Pager, IdempotentWrites],
    };
  }
}

/** The HTTP edge: limits, validation by `@Body({ schema })` and `@Query({ schema })`, responses as `ApiResponse`. */
@Module({
  imports: [RateLimitModule],
  providers: [
    { provide: APP_INTERCEPTOR, useClass: RateLimitInterceptor },
    { provide: APP_PIPE, useClass: SchemaPipe },
    { provide: APP_INTERCEPTOR, useClass: ResponseInterceptor },
  ],
})
export class RestEdgeModule {}
