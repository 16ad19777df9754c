import { DatabaseModule, Sql, UsageError, runInContext } from '@lyceum/platform';
import type { Command, DatabaseOptions, ServiceConfiguration } from '@lyceum/platform';
import { JobQueue } from './job-queue.js';
import type { QueueDeclaration } from './queue-declaration.js';

interface Service<C> {
  readonly name: string;
  readonly database: (config: C) => DatabaseOptions;
  readonly queues: readonly QueueDeclaration[];
}

class JobCommandModule {}

/** RFC 3339 with an offset, without which the zone of the machine would count. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Returns the command `dead-jobs`: `list` prints the newest 100 of each queue as JSON lines, `retry <queue>` retries
 * all.
 */
export function jobCommand<C extends ServiceConfiguration>(service: Service<C>): Command<C> {
  const { queues } = service;
  return {
    summary: `list | retry <${queues.map((queue) => queue.name).join('|')}>: jobs that failed for the last time`,
    async run(config, [action, wanted]) {
      const chosen = queues.filter((queue) => action === 'list' || queue.name === wanted);
      if (chosen.length === 0 || (action !== 'list' && action !== 'retry')) {
        throw new UsageError('dead-jobs list, or dead-jobs retry <queue>');
      }
      await eachQueue({ ...service, queues: chosen }, config, async (queue) => {
        if (action === 'retry') print({ queue: queue.declaration.name, retried: await queue.reviveAll() });
        else for (const job of await queue.dead(100)) print({ queue: queue.declaration.name, ...job });
      });
    },
  };
}

/**
 * Returns the command `end-jobs`: see docs/operate/restore.md. Ends the jobs of the queues that were due at an instant,
 * and prints their numbers as JSON lines.
 */
export function endJobsCommand<C extends ServiceConfiguration>(service: Service<C>): Command<C> {
  const names = service.queues.map((queue) => queue.name).join(', ');
  return {
    summary: `<instant>: after a restore of the database: ends the jobs that were due then (${names})`,
    async run(config, [instant = '']) {
      const until = INSTANT.test(instant) ? new Date(instant) : undefined;
      if (until === undefined || !(until.getTime() <= Date.now()))
        throw new UsageError('end-jobs needs an instant of the past, such as 2026-11-23T08:30:00Z');
      await eachQueue(service, config, async (queue) =>
        print({ queue: queue.declaration.name, ended: await queue.endDue(until) }),
      );
    },
  };
}

async function eachQueue<C extends ServiceConfiguration>(
  { name, database, queues }: Service<C>,
  config: C,
  work: (queue: JobQueue<object>) => Promise<void>,
): Promise<void> {
  const module = () => ({ module: JobCommandModule, imports: [DatabaseModule.forRoot(database(config))] });
  await runInContext({ name, module }, config, async (context) => {
    for (const declaration of queues) await work(new JobQueue(declaration, context.get(Sql)));
  });
}

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
