import type { DatabaseName } from '@lyceum/local';
import pg from 'pg';
import { testDatabase } from './test-database.js';

/** The types of all timestamp columns in the migrated database of a service, by `table.column`. */
export async function instantColumns(name: DatabaseName): Promise<Readonly<Record<string, string>>> {
  const database = await testDatabase(name);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; type: string }>(`
      SELECT table_name || '.' || column_name AS name,
             udt_name || '(' || datetime_precision || ')' AS type
        FROM information_schema.columns
       WHERE table_schema = 'public' AND udt_name LIKE 'timestamp%'`);
    return Object.fromEntries(rows.map((row) => [row.name, row.type]));
  } finally {
    await client.end();
    await database.drop();
  }
}
