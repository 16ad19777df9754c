import { republicationsOf } from '@lyceum/collections';
import { REPUBLISH_USAGE, Republisher } from '@lyceum/messaging';
import { runInContext } from '@lyceum/platform';
import type { Command } from '@lyceum/platform';
import type { Configuration } from '#src/configuration.js';
import { collections } from '#src/collections.js';
import { SchoolModule } from '#src/school.module.js';

/** `republish <entity>… | all`: see docs/adr/0012-rebuilding-read-models.md. */
export const republishCommand: Command<Configuration> = {
  summary: REPUBLISH_USAGE,
  async run(config, words) {
    const definition = { name: 'admin-api', module: SchoolModule.forRoot };
    await runInContext(definition, config, (context) =>
      context.get(Republisher, { strict: false }).run(republicationsOf(collections, context), words),
    );
  },
};
