import { Database, Sql } from '@lyceum/platform';
import { testDatabase } from '@lyceum/testing';
import { databaseOptions } from '#src/database.js';
import type { DataSource } from 'typeorm';

export interface OpenDatabase {
  readonly dataSource: DataSource;
  readonly sql: Sql;
  close(): Promise<void>;
}

/** A specification may write many rows in one statement. */
const UNLIMITED = { statement: 0, query: 0 };

/** Opens a separate migrated database with the providers of repositories. */
export async function openDatabase(): Promise<OpenDatabase> {
  const { url, drop } = await testDatabase('school');
  const database = await Database.open({
    ...databaseOptions({ DATABASE_URL: url, DATABASE_POOL_SIZE: 10 }),
    limits: UNLIMITED,
  });
  await database.ready();
  return {
    dataSource: database.dataSource,
    sql: new Sql(database.dataSource),
    close: async () => {
      await database.onApplicationShutdown();
      await drop();
    },
  };
}
