import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { CostPointsModule } from '#src/cost-points/cost-points.module.js';
import { ReadingModule } from '#src/reading/reading.module.js';
import { OperationMetrics } from './operation.metrics.js';
import { OperationPlugin } from './operation.plugin.js';
import { TransportModule } from './transport.module.js';

/** Processing of an operation inside Apollo. */
@Module({})
export class GraphqlOperationModule {
  static forRoot(pointsPerMinute: number): DynamicModule {
    return {
      module: GraphqlOperationModule,
      imports: [TransportModule, ReadingModule, CostPointsModule.forRoot(pointsPerMinute)],
      providers: [OperationPlugin, OperationMetrics],
    };
  }
}
