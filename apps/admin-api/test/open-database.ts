import { Database, Sql, databaseEnvironment, readConfiguration } from '@lyceum/platform';
import type { DatabaseOptions } from '@lyceum/platform';
import { testDatabase } from '@lyceum/testing';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { databaseOptions } from '#src/database.js';

export interface OpenDatabase {
  readonly dataSource: DataSource;
  readonly sql: Sql;
  close(): Promise<void>;
}

/** A specification may write many rows in one statement. */
const UNLIMITED = { statement: 0, query: 0 };

/** Tables and migrations of the school, in the database of the URL. */
export const schoolOptions = (url: string): DatabaseOptions =>
  databaseOptions(readConfiguration(z.object(databaseEnvironment), { DATABASE_URL: url }));

export const SCHOOL_MIGRATIONS = schoolOptions('postgres://localhost/school').migrations;

/** Opens a separate migrated database with the providers of repositories. */
export async function openDatabase(options: Pick<DatabaseOptions, 'poolSize'> = {}): Promise<OpenDatabase> {
  const { url, drop } = await testDatabase('school');
  const database = await Database.open({
    ...schoolOptions(url),
    limits: UNLIMITED,
    ...options,
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
