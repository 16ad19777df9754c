import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { RateLimitInterceptor } from './rate-limit.interceptor.js';
import { RateLimitRepository } from './rate-limit.repository.js';
import { RateLimits } from './rate-limit.service.js';

@Module({
  providers: [RateLimits, RateLimitRepository, { provide: APP_INTERCEPTOR, useClass: RateLimitInterceptor }],
})
export class RateLimitModule {}
