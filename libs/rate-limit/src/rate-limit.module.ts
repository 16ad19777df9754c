import { Module } from '@nestjs/common';
import { NatsRateWindows } from './nats-rate-windows.js';
import { RateLimiter } from './rate-limiter.js';
import { RateWindows } from './rate-windows.js';
import { RateWindowsRepository } from './rate-windows.repository.js';
import { RateWindowsSweeper } from './rate-windows.sweeper.js';
import { TransactionLimits } from './transaction-limits.js';

/** Provides the limiters, with windows in the database. Needs `Sql` and `rateLimitMigrations`. */
@Module({
  providers: [
    RateWindowsRepository,
    RateWindowsSweeper,
    RateLimiter,
    TransactionLimits,
    { provide: RateWindows, useExisting: RateWindowsRepository },
  ],
  exports: [RateLimiter, TransactionLimits],
})
export class RateLimitModule {}

/** Provides `RateLimiter` for a service without a database. Needs NATS, and `shares` in the duties of the service. */
@Module({ providers: [RateLimiter, { provide: RateWindows, useClass: NatsRateWindows }], exports: [RateLimiter] })
export class NatsRateLimitModule {}
