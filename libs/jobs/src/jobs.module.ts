import { Module } from '@nestjs/common';
import { JobMetrics } from './job-metrics.js';

@Module({ providers: [JobMetrics], exports: [JobMetrics] })
export class JobsModule {}
