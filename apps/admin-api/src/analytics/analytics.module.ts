import { collectionModule } from '@lyceum/collections';
import type { CollectionModule } from '@lyceum/collections';
import { routesOf } from '@lyceum/rest';
import { Analytics1764000255000 } from '#src/migrations/1764000255000-analytics.js';
import { AnalyticsMarks1764000255001 } from '#src/migrations/1764000255001-analytics-marks.js';
import { AnalyticsHours1764000258000 } from '#src/migrations/1764000258000-analytics-hours.js';
import { AnalyticsBlocks1764000274000 } from '#src/migrations/1764000274000-analytics-blocks.js';
import { AnalyticsClock } from './analytics.clock.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsTools } from './analytics.tools.js';
import { FiguresModule } from './figures.module.js';
import { RollupModule } from './rollup.module.js';

const controllers = [AnalyticsController];

/** Reports are no collection: they have routes and a tool of their own. */
export const AnalyticsModule: CollectionModule = {
  ...collectionModule({
    imports: [FiguresModule, RollupModule],
    operations: [],
    services: [],
    providers: [AnalyticsTools, AnalyticsClock],
    migrations: [
      Analytics1764000255000,
      AnalyticsMarks1764000255001,
      AnalyticsHours1764000258000,
      AnalyticsBlocks1764000274000,
    ],
  }),
  controllers,
  routes: routesOf(controllers),
};
