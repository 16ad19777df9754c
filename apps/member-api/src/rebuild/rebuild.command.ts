import { Rebuild } from '@lyceum/messaging';
import type { Copy } from '@lyceum/messaging';
import { runInContext } from '@lyceum/platform';
import type { Command } from '@lyceum/platform';
import { environment } from '#src/configuration.js';
import type { Configuration } from '#src/configuration.js';
import { SERVICE } from '#src/database.js';
import { COPIES, RebuildModule } from './rebuild.module.js';

/** `rebuild <copy>`: see docs/adr/0012-rebuilding-copies.md. Prints a line of JSON for each table. */
export const rebuildCommand: Command<Configuration> = {
  summary: '<copy>: make a copy anew from the events, while it is served',
  async run(config, [name]) {
    const definition = { name: SERVICE, environment, module: RebuildModule.forRoot, bodyLimit: 0 };
    await runInContext(definition, config, async (context) => {
      const copies: Copy[] = COPIES.map((copy) => context.get<Copy>(copy, { strict: false }));
      const copy = copies.find((one) => one.name === name);
      if (copy === undefined) throw new Error(`rebuild needs one of ${copies.map((one) => one.name).join(', ')}`);
      const tables = await context.get(Rebuild, { strict: false }).run(copy);
      for (const table of tables) process.stdout.write(`${JSON.stringify(table)}\n`);
    });
  },
};
