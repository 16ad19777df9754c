import { Database, migrateDatabase } from '@lyceum/platform';
import { emptyDatabase } from '@lyceum/testing';
import type { DataSource } from 'typeorm';
import { Writes1763683200001 } from '../src/idempotency/idempotency.migration.js';

export interface OpenDatabase {
  readonly dataSource: DataSource;
  close(): Promise<void>;
}

/** A database of the test's own with the tables of this lib. */
export async function openDatabase(): Promise<OpenDatabase> {
  const { url, drop } = await emptyDatabase();
  const options = { url, applicationName: 'test', entities: [], migrations: [Writes1763683200001] };
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
