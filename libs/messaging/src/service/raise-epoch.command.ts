import { DatabaseModule, runInContext } from '@lyceum/platform';
import type { Command, DatabaseOptions, ServiceConfiguration } from '@lyceum/platform';
import { DataSource } from 'typeorm';
import { raiseEpoch } from '../outbox/event-epoch.repository.js';

interface Service<C> {
  readonly name: string;
  readonly database: (config: C) => DatabaseOptions;
}

class RaiseEpochModule {}

/** `raise-epoch`: see docs/operate/restore.md. Prints the new epoch as a line of JSON. */
export function raiseEpochCommand<C extends ServiceConfiguration>({ name, database }: Service<C>): Command<C> {
  return {
    summary: 'after a restore of the database: makes its next events newer than all before',
    async run(config) {
      const module = () => ({ module: RaiseEpochModule, imports: [DatabaseModule.forRoot(database(config))] });
      await runInContext({ name, module }, config, async (context) => {
        process.stdout.write(`${JSON.stringify(await raiseEpoch(context.get(DataSource)))}\n`);
      });
    },
  };
}
