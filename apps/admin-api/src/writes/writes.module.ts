import { Module } from '@nestjs/common';
import { IdempotencyPurge } from './idempotency.purge.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { Writes } from './writes.service.js';

@Module({ providers: [Writes, IdempotencyRepository, IdempotencyPurge], exports: [Writes] })
export class WritesModule {}
