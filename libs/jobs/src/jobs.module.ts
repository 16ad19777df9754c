import { Module } from '@nestjs/common';
import { JobMetrics } from './job-metrics.js';

/** Provides `JobMetrics`, which workers need. Needs `DatabaseModule`. */
@Module({ providers: [JobMetrics], exports: [JobMetrics] })
export class JobsModule {}
