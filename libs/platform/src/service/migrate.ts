import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { MigrationExecutor } from 'typeorm';
import type { QueryRunner } from 'typeorm';
import { isDatabaseUnavailable } from '../database/database-error.js';
import { ServiceDataSource, dataSourceOptions } from '../database/database-options.js';
import type { DatabaseOptions } from '../database/database-options.js';
import type { ServiceConfiguration } from '../configuration/environment.js';
import { baselineState, isBaseline } from './baseline.js';
import type { Command } from './service.js';

/** The same for every service: locks belong to one database, and each service has its own. */
const LOCK = 0x4c59_4345;
const LOCK_WAIT = '10min';
/** A migration that waits for a table lock blocks all later queries, so it gives up and is retried. */
const TABLE_LOCK_WAIT = '10s';
const CONNECT_MS = 30_000;
const RETRY_MS = 500;

/**
 * Runs pending migrations, each in its own transaction, under an advisory lock, so that concurrent runners do not
 * interfere. Waits up to 30 s for the database. Returns the names of the migrations that ran, in order.
 */
export async function migrateDatabase(options: DatabaseOptions): Promise<readonly string[]> {
  // Creating an index may take long.
  const limits = { query: 0, statement: 0, idleInTransaction: 0 };
  const source = new ServiceDataSource(dataSourceOptions({ ...options, poolSize: 2, limits }));
  await connect(source);
  try {
    const runner = source.createQueryRunner();
    try {
      await runner.query(`SET lock_timeout = '${LOCK_WAIT}'`);
      // Session-level: released when the session ends for any reason.
      await runner.query('SELECT pg_advisory_lock($1)', [LOCK]);
      await runner.query(`SET lock_timeout = '${TABLE_LOCK_WAIT}'`);
      const executor = new MigrationExecutor(source, runner);
      executor.transaction = 'each';
      await acceptReplaced(executor);
      const ran = await executor.executePendingMigrations();
      await warnOfCase(runner);
      return ran.map((migration) => migration.name);
    } finally {
      await runner.release();
    }
  } finally {
    await source.destroy();
  }
}

/** Records the baselines whose schema earlier migrations have made. Throws before any change. */
async function acceptReplaced(executor: MigrationExecutor): Promise<void> {
  const done = new Set((await executor.getExecutedMigrations()).map(({ name }) => name));
  const replaced = (await executor.getPendingMigrations()).filter(
    ({ name, instance }) => isBaseline(instance) && baselineState(name, instance, done) === 'replaced',
  );
  for (const migration of replaced) await executor.insertMigration(migration);
}

/** No migration can change the locale of a database, so the operator has to. */
async function warnOfCase(runner: QueryRunner): Promise<void> {
  const [row] = (await runner.query(`SELECT lower('É') = 'é' AS folds`)) as readonly { readonly folds: boolean }[];
  if (row?.folds === true) return;
  new Logger('Migrate').warn(
    'the database knows lower case of A to Z alone: docs/operate/upgrade.md#the-locale-of-a-database',
  );
}

async function connect(source: ServiceDataSource): Promise<void> {
  const deadline = performance.now() + CONNECT_MS;
  for (;;) {
    try {
      await source.initialize();
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** The subcommand `migrate` of a service. */
export function migrateCommand<C extends ServiceConfiguration>(options: (config: C) => DatabaseOptions): Command<C> {
  return {
    summary: 'run the pending migrations of the database',
    async run(config) {
      const ran = await migrateDatabase(options(config));
      new Logger('Migrate').log(ran.length === 0 ? 'nothing was pending' : `ran ${ran.join(', ')}`);
    },
  };
}
