import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { RateLimitModule } from '#src/rate-limit/rate-limit.module.js';
import { ViewerModule } from '#src/viewer/viewer.module.js';
import { OperationPlugin } from './operation.plugin.js';

/** What happens to an operation inside Apollo. */
@Module({})
export class OperationModule {
  static forRoot(pointsPerMinute: number): DynamicModule {
    return {
      module: OperationModule,
      imports: [ViewerModule, RateLimitModule.forRoot(pointsPerMinute)],
      providers: [OperationPlugin],
    };
  }
}
