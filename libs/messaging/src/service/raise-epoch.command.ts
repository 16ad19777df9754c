import { DatabaseModule, runInContext } from '@lyceum/platform';
import type { Command, DatabaseOptions, ServiceConfiguration } from '@lyceum/platform';
import { DataSource } from 'typeorm';

interface Service<C> {
  readonly name: string;
  readonly database: (config: C) => DatabaseOptions;
}

/** The new epoch is the time in seconds. `epoch + 1` would repeat an epoch when the same backup is restored twice. */
const RAISE = `
  UPDATE event_epoch
     SET epoch = greatest(epoch + 1, extract(epoch FROM clock_timestamp())::bigint), raised_at = clock_timestamp()
  RETURNING epoch::float8 AS epoch`;

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

export async function raiseEpoch(source: DataSource): Promise<{ readonly epoch: number }> {
  const [rows] = await source.query<[{ epoch: number }[], number]>(RAISE);
  const [row] = rows;
  if (row === undefined) throw new Error('The table event_epoch has no row: run migrate first');
  return row;
}
