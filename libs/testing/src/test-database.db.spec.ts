import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@lyceum/local';
import pg from 'pg';
import { testInfrastructure } from './infrastructure.js';
import { emptyDatabase, testDatabase } from './test-database.js';

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(text);
    return result.rows;
  } finally {
    await client.end();
  }
}

describe('an empty database', () => {
  it('belongs to a role without superuser rights, and is removed by drop', async () => {
    const database = await emptyDatabase();
    await query(database.url, 'CREATE TABLE thing (id int)');
    const [row] = await query(database.url, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user');
    expect(row).toEqual({ rolsuper: false });
    await database.drop();
    await expect(query(database.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });

  it('creates a separate database for each caller', async () => {
    const [one, other] = await Promise.all([emptyDatabase(), emptyDatabase()]);
    await query(one.url, 'CREATE TABLE thing (id int)');
    await expect(query(other.url, 'SELECT * FROM thing')).rejects.toThrow(/does not exist/);
    await Promise.all([one.drop(), other.drop()]);
  });

  it('drops a database also while a connection is open', async () => {
    const database = await emptyDatabase();
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => {});
    await client.connect();
    await database.drop();
    await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable|terminat/);
  });
});

describe('a database of a service', () => {
  it('migrates a database by the service itself, and creates one for each caller', async () => {
    const [one, other] = await Promise.all([testDatabase('school'), testDatabase('school')]);
    const isThere = `SELECT to_regclass('outbox') IS NOT NULL AS outbox`;
    await query(one.url, 'DROP TABLE outbox');
    await expect(query(one.url, isThere)).resolves.toEqual([{ outbox: false }]);
    await expect(query(other.url, isThere)).resolves.toEqual([{ outbox: true }]);
    const { postgres } = await testInfrastructure();
    const templates = `SELECT count(*)::int AS templates FROM pg_database WHERE datname LIKE 'template_school_%'`;
    await expect(query(postgres.adminUrl, templates)).resolves.toEqual([{ templates: 1 }]);
    await Promise.all([one.drop(), other.drop()]);
  });

  it('prepares the database of the next caller', async () => {
    const { postgres } = await testInfrastructure();
    const made = [await testDatabase('learner')];
    // Other suites make databases of the service on this server, too.
    let pause = 50;
    const isPrepared = async (): Promise<boolean> => {
      // A busy disk copies a database in seconds.
      await sleep((pause *= 2));
      const known = await query(postgres.adminUrl, 'SELECT datname FROM pg_database');
      const next = await testDatabase('learner');
      made.push(next);
      return known.some(({ datname }) => datname === new URL(next.url).pathname.slice(1));
    };
    expect(await eventually(isPrepared, Boolean)).toBe(true);
    await Promise.all(made.map((one) => one.drop()));
  });

  it('throws with a clear message while the app is not built', async () => {
    await expect(testDatabase('unknown' as 'auth')).rejects.toThrow('No service has a database unknown');
  });
});

describe('the roles of the services', () => {
  it.each([
    ['school', 'auth'],
    ['auth', 'learner'],
    ['learner', 'school'],
  ] as const)('keeps %s out of the database of %s', async (role, other) => {
    const { postgres } = await testInfrastructure();
    const url = new URL(postgres.urls[role]);
    url.pathname = `/${other}`;
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow(/permission denied for database/);
    await expect(query(postgres.urls[role], 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });

  it('requires a password from the roles of the services', async () => {
    const { postgres } = await testInfrastructure();
    const url = new URL(postgres.urls.school);
    url.password = 'guess';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });
});
