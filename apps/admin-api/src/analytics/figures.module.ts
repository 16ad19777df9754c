import { Module } from '@nestjs/common';
import { SchoolSettingsModule } from '#src/school/school-settings.module.js';
import { AnalyticsRepository } from './analytics.repository.js';
import { AnalyticsService } from './analytics.service.js';
import { AnalyticsTables } from './analytics.tables.js';

/** The reports alone, for exports. */
@Module({
  imports: [SchoolSettingsModule],
  providers: [AnalyticsRepository, AnalyticsService, AnalyticsTables],
  exports: [AnalyticsService, AnalyticsTables],
})
export class FiguresModule {}
