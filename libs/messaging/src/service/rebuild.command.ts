import type { DynamicModule, Type } from '@nestjs/common';
import { DatabaseModule, NO_LIMITS, UsageError, runInContext } from '@lyceum/platform';
import type { Command, DatabaseOptions, ServiceConfiguration, ServiceDefinition } from '@lyceum/platform';
import type { NatsConfiguration } from '../connection/configuration.js';
import { declaredReadModels } from '../consumers/declared-consumers.js';
import { MessagingModule } from './messaging.module.js';
import type { ReadModelPart } from '../read-models/read-models.js';
import { methodsOf, readerOf } from '../consumers/consumes.decorator.js';
import { Rebuild } from '../read-models/rebuild.js';

type Service<C extends ServiceConfiguration> = Pick<ServiceDefinition<C>, 'name' | 'module'> & {
  readonly database: (config: C) => DatabaseOptions;
};

class RebuildModule {}

/**
 * `rebuild <read model> | all`: see docs/adr/0012-rebuilding-read-models.md. Creates only the read models of the
 * service. Prints a line of JSON for each table.
 */
export function rebuildCommand<C extends ServiceConfiguration & NatsConfiguration>({
  name: service,
  module,
  database,
}: Service<C>): Command<C> {
  return {
    summary: '<read model> | all: rebuild it from the events, while it is served',
    async run(config, [name = '']) {
      const models = declaredReadModels(module(config));
      const wanted = [...models].filter(([known]) => name === 'all' || known === name);
      if (wanted.length === 0)
        throw new UsageError(`rebuild needs all, or one of ${[...models.keys()].sort().join(', ')}`);
      const needed = (): DynamicModule => ({
        module: RebuildModule,
        imports: [
          DatabaseModule.forRoot({ ...database(config), limits: NO_LIMITS }),
          MessagingModule.forRoot({ service, nats: config, database: true, reads: false }),
        ],
        providers: wanted.map(([, model]) => model),
      });
      await runInContext({ name: service, module: needed }, config, async (context) => {
        for (const [known, model] of wanted) {
          const parts = partsOf(model, context.get<object>(model, { strict: false }));
          const tables = await context.get(Rebuild, { strict: false }).run({ name: known, parts });
          for (const table of tables) process.stdout.write(`${JSON.stringify(table)}\n`);
        }
      });
    },
  };
}

/** The tables of a read model, in the order of its methods. */
function partsOf(type: Type, instance: object): ReadModelPart[] {
  return methodsOf(type.prototype).flatMap((method): ReadModelPart[] => {
    const declared = readerOf(method);
    const [events] = declared?.events ?? [];
    if (declared?.keeps === undefined || events === undefined) return [];
    const { reader, stream, keeps } = declared;
    const apply: ReadModelPart['apply'] = (all, tx) =>
      method.call(instance, all as never, tx as never) as Promise<void>;
    return [{ reader, stream, events, ...keeps, apply }];
  });
}
