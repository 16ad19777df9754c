import { Module } from '@nestjs/common';
import { NatsRateWindows } from './nats-rate-windows.js';
import { RateLimiter } from './rate-limiter.js';
import { RateWindows } from './rate-windows.js';
import { RateWindowsRepository } from './rate-windows.repository.js';
import { RateWindowsSweeper } from './rate-windows.sweeper.js';

/** Needs `Sql`, and `rateLimitMigrations` in the service's database. */
@Module({
  providers: [
    RateWindowsRepository,
    RateWindowsSweeper,
    RateLimiter,
    { provide: RateWindows, useExisting: RateWindowsRepository },
  ],
  exports: [RateLimiter],
})
export class RateLimitModule {}

/** For a service without a database: needs NATS, and `shares` among the service's duties. */
@Module({ providers: [RateLimiter, { provide: RateWindows, useClass: NatsRateWindows }], exports: [RateLimiter] })
export class NatsRateLimitModule {}
