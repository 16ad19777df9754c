import { Module } from '@nestjs/common';
import { RateLimiter } from './rate-limiter.js';
import { RateWindowsRepository } from './rate-windows.repository.js';
import { RateWindowsSweeper } from './rate-windows.sweeper.js';

/** Needs `Sql`, and `rateLimitMigrations` in the service's database. */
@Module({ providers: [RateWindowsRepository, RateWindowsSweeper, RateLimiter], exports: [RateLimiter] })
export class RateLimitModule {}
