import { Module } from '@nestjs/common';
import { JobMetrics } from './job-metrics.js';

/** Provides `JobMetrics`, which workers need. */
@Module({ providers: [JobMetrics], exports: [JobMetrics] })
export class JobsModule {}
