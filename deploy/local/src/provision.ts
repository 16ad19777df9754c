import pg from 'pg';

/** Makes the missing databases, each with a role of the same name. No role sees the database of another. */
export async function provision(
  adminUrl: string,
  databases: readonly string[],
  password: (role: string) => string,
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const existing = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    const known = new Set(existing.rows.map((row) => row.datname));
    for (const database of databases.filter((name) => !known.has(name))) {
      const name = client.escapeIdentifier(database);
      await client.query(`DROP ROLE IF EXISTS ${name}`);
      await client.query(`CREATE ROLE ${name} LOGIN PASSWORD ${client.escapeLiteral(password(database))}`);
      await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
      // Everybody may connect to a new database unless it is taken away.
      await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
    }
  } finally {
    await client.end();
  }
}
