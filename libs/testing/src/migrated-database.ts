import pg from 'pg';
import type { DatabaseName } from '@lyceum/local';
import { MigrationHistory } from './migration-history.js';
import { emptyDatabase } from './test-database.js';
import type { TestDatabase } from './test-database.js';

/** An empty database of a role on one connection, with the history of the migrations of its service. */
export class MigratedDatabase {
  readonly history: MigrationHistory;

  private constructor(
    private readonly database: TestDatabase,
    private readonly client: pg.Client,
    migrations: readonly Function[],
  ) {
    this.history = new MigrationHistory(this, migrations);
  }

  static async open(role: DatabaseName, migrations: readonly Function[]): Promise<MigratedDatabase> {
    const database = await emptyDatabase(role);
    return new MigratedDatabase(database, await connected(database.url), migrations);
  }

  /** Another connection to the database. End it before the database is closed. */
  connect(): Promise<pg.Client> {
    return connected(this.database.url);
  }

  /** Returns the rows of one statement. */
  async query(text: string, values?: unknown[]): Promise<unknown[]> {
    return (await this.client.query<object>(text, values)).rows;
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.database.drop();
  }
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}
