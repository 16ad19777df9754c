import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres, type Postgres } from './postgres.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-postgres-'));
const options = { directory, databases: ['auth', 'school'], durable: true };
let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres(options);
});
afterAll(async () => {
  await postgres.stop();
  rmSync(directory, { recursive: true });
});

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  it('runs version 18 durably and listens on the loopback address only', async () => {
    const [row] = await query(
      postgres.adminUrl,
      `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('fsync') AS fsync,
              current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets`,
    );
    expect(row).toEqual({ version: 18, fsync: 'on', addresses: '127.0.0.1', sockets: '' });
  });

  it('orders and folds text by Unicode, on every machine in the same way', async () => {
    await expect(query(postgres.url('school'), `SELECT lower('ÄÖ') AS folded, 'Z' < 'a' AS by_code`)).resolves.toEqual([
      { folded: 'äö', by_code: true },
    ]);
  });

  it('lets a role make tables in its own database and see no other', async () => {
    await query(postgres.url('school'), 'CREATE TABLE own (id uuid DEFAULT uuidv7())');
    const foreign = postgres.url('school').replace(/school$/, 'auth');
    await expect(query(foreign, 'SELECT 1')).rejects.toThrow(/permission denied for database "auth"/);
    await expect(query(postgres.url('school'), 'CREATE ROLE more')).rejects.toThrow(/permission denied/);
  });

  it('keeps data and passwords through a SIGKILL', async () => {
    const url = postgres.url('auth');
    await query(url, 'CREATE TABLE kept (id int)');
    await postgres.kill();
    postgres = await startPostgres({ ...options, port: postgres.port });
    expect(postgres.url('auth')).toBe(url);
    await expect(query(url, 'SELECT count(*)::int AS rows FROM kept')).resolves.toEqual([{ rows: 0 }]);
    expect(statSync(join(directory, 'passwords.json')).mode & 0o077).toBe(0);
  });

  it('ends at once while connections are open, and names all its processes', async () => {
    const client = new pg.Client({ connectionString: postgres.url('auth') });
    client.on('error', () => {});
    await client.connect();
    const pids = postgres.pids();
    expect(pids.length).toBeGreaterThan(3);
    await postgres.stop();
    expect(postgres.pids()).toEqual([]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
    postgres = await startPostgres(options);
  });

  it('starts although a power cut left a pid that belongs to another process now', async () => {
    const port = postgres.port;
    const file = join(directory, 'data', 'postmaster.pid');
    const lines = readFileSync(file, 'utf8').split('\n');
    await postgres.stop();
    writeFileSync(file, [process.pid, ...lines.slice(1)].join('\n'), { mode: 0o600 });
    postgres = await startPostgres({ ...options, port });
    await expect(query(postgres.url('auth'), 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });
});
