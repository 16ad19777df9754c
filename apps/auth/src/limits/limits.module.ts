import { Module } from '@nestjs/common';
import { RateLimitModule } from '@lyceum/rate-limit';
import { LinkRequestLimits } from './link-request-limits.js';
import { TokenLimits } from './token-limits.js';

@Module({
  imports: [RateLimitModule],
  providers: [LinkRequestLimits, TokenLimits],
  exports: [LinkRequestLimits, RateLimitModule, TokenLimits],
})
export class LimitsModule {}
