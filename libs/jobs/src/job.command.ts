import { DatabaseModule, Sql, runInContext } from '@lyceum/platform';
import type { Command, DatabaseOptions, ServiceConfiguration, ServiceDefinition } from '@lyceum/platform';
import { JobQueue } from './job-queue.js';
import type { QueueDeclaration } from './queue-declaration.js';

type Service<C extends ServiceConfiguration> = Pick<ServiceDefinition<C>, 'name' | 'environment'> & {
  readonly database: (config: C) => DatabaseOptions;
  readonly queues: readonly QueueDeclaration[];
};

class JobCommandModule {}

/** `dead-jobs list` prints the newest dead jobs as lines of JSON; `dead-jobs retry` makes those of a queue due. */
export function jobCommand<C extends ServiceConfiguration>(service: Service<C>): Command<C> {
  const { name, environment, database, queues } = service;
  return {
    summary: `list | retry <${queues.map((queue) => queue.name).join('|')}>: jobs that failed for the last time`,
    async run(config, [action, wanted]) {
      const chosen = queues.filter((queue) => action === 'list' || queue.name === wanted);
      if (chosen.length === 0 || (action !== 'list' && action !== 'retry')) {
        throw new Error('dead-jobs list, or dead-jobs retry <queue>');
      }
      const module = () => ({ module: JobCommandModule, imports: [DatabaseModule.forRoot(database(config))] });
      await runInContext({ name, environment, module, bodyLimit: 0 }, config, async (context) => {
        for (const declaration of chosen) {
          const queue = new JobQueue(declaration, context.get(Sql));
          if (action === 'retry') print({ queue: declaration.name, retried: await queue.reviveAll() });
          else for (const job of await queue.dead(100)) print({ queue: declaration.name, ...job });
        }
      });
    },
  };
}

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
