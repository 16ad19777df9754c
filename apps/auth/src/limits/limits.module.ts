import { Module } from '@nestjs/common';
import { RateLimitModule } from '@lyceum/rate-limit';
import { TokenLimits } from './token-limits.js';

@Module({
  imports: [RateLimitModule],
  providers: [TokenLimits],
  exports: [RateLimitModule, TokenLimits],
})
export class LimitsModule {}
