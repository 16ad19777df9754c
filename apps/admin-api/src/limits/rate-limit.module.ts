import { RateLimitModule as LimiterModule } from '@lyceum/rate-limit';
import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { RateLimitInterceptor } from './rate-limit.interceptor.js';

@Module({ imports: [LimiterModule], providers: [{ provide: APP_INTERCEPTOR, useClass: RateLimitInterceptor }] })
export class RateLimitModule {}
