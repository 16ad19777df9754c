import { DatabaseModule, NO_LIMITS, runInContext } from '@lyceum/platform';
import type { Command } from '@lyceum/platform';
import { RollupModule } from '#src/analytics/rollup.module.js';
import { RollupService } from '#src/analytics/rollup.service.js';
import type { Configuration } from '#src/configuration.js';
import { databaseOptions } from '#src/database.js';

class RebuildAnalyticsModule {}

/** `rebuild-analytics`: see docs/adr/0101-analytics.md. Prints the number of quarters as a line of JSON. */
export const rebuildAnalyticsCommand: Command<Configuration> = {
  summary: 'count all analytics again, while they are served',
  async run(config) {
    const module = () => ({
      module: RebuildAnalyticsModule,
      imports: [DatabaseModule.forRoot({ ...databaseOptions(config), limits: NO_LIMITS }), RollupModule],
    });
    await runInContext({ name: 'admin-api', module }, config, async (context) => {
      const done = await context.get(RollupService, { strict: false }).rebuild();
      process.stdout.write(`${JSON.stringify(done)}\n`);
    });
  },
};
