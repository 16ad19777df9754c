import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { RateLimitModule } from '@lyceum/rate-limit';
import { CostPoints, CostPointsSettings } from './cost-points.service.js';

@Module({})
export class CostPointsModule {
  static forRoot(pointsPerMinute: number): DynamicModule {
    return {
      module: CostPointsModule,
      imports: [RateLimitModule],
      providers: [{ provide: CostPointsSettings, useValue: new CostPointsSettings(pointsPerMinute) }, CostPoints],
      exports: [CostPoints],
    };
  }
}
