import { Database, migrateDatabase } from '@lyceum/platform';
import { emptyDatabase } from '@lyceum/testing';
import type { DataSource } from 'typeorm';
import { IdempotencySteps1795987200063 } from '../src/idempotency/idempotency-steps.migration.js';
import { Writes1763683200001 } from '../src/idempotency/idempotency.migration.js';
import { Search1795987200030 } from '../src/paging/search.migration.js';

export interface OpenDatabase {
  readonly dataSource: DataSource;
  close(): Promise<void>;
}

/** A database of the test's own with the tables of this lib. */
export async function openDatabase(): Promise<OpenDatabase> {
  const { url, drop } = await emptyDatabase();
  const migrations = [Writes1763683200001, Search1795987200030, IdempotencySteps1795987200063];
  const options = { url, applicationName: 'test', entities: [], migrations };
  await migrateDatabase(options);
  const database = await Database.open(options);
  await database.ready();
  return {
    dataSource: database.dataSource,
    close: async () => {
      await database.onApplicationShutdown();
      await drop();
    },
  };
}
