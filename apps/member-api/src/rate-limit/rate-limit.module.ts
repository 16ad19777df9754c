import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { RateLimitRepository } from './rate-limit.repository.js';
import { RateLimit, RateLimiter } from './rate-limiter.js';

@Module({})
export class RateLimitModule {
  static forRoot(pointsPerMinute: number): DynamicModule {
    return {
      module: RateLimitModule,
      providers: [{ provide: RateLimit, useValue: new RateLimit(pointsPerMinute) }, RateLimitRepository, RateLimiter],
      exports: [RateLimiter],
    };
  }
}
