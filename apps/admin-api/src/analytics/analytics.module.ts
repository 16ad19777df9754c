import { collectionModule } from '@lyceum/collections';
import type { CollectionModule } from '@lyceum/collections';
import { routesOf } from '@lyceum/rest';
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
  }),
  controllers,
  routes: routesOf(controllers),
};
