import { Module } from '@nestjs/common';
import { RateLimitModule } from '@lyceum/rate-limit';
import { LimitsRepository } from './limits.repository.js';
import { LimitsService } from './limits.service.js';
import { TokenLimits } from './token-limits.js';

@Module({
  imports: [RateLimitModule],
  providers: [LimitsRepository, LimitsService, TokenLimits],
  exports: [LimitsService, TokenLimits],
})
export class LimitsModule {}
