import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '@lyceum/local';
import pg from 'pg';

/** Left out of a base backup (PostgreSQL 18, §25.3.4): files of the running server, and the WAL, which is replayed. */
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|pg_wal\/.*|pgsql_tmp.*|pg_stat_tmp\/.*|pg_replslot\/.*)$/;
const COPIES = 5;

interface Cluster {
  /** Holds `data` and the passwords. */
  readonly directory: string;
  readonly adminUrl: string;
}

async function asAdmin<T>({ adminUrl }: Cluster, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * A base backup of a running server by the low-level API of PostgreSQL, because the embedded server comes without
 * `pg_basebackup`. The WAL directory of the server stands for the archive.
 */
export class BaseBackup {
  readonly #source: Cluster;
  readonly #directory: string;

  private constructor(source: Cluster, directory: string) {
    this.#source = source;
    this.#directory = directory;
  }

  static async take(source: Cluster, directory: string): Promise<BaseBackup> {
    await asAdmin(source, async (client) => {
      // A checkpoint would recycle the segments that the recovery needs.
      await client.query(`alter system set wal_keep_size = '1GB'`);
      await client.query('select pg_reload_conf()');
      await client.query(`select pg_backup_start('drill', fast => true)`);
      await copy(join(source.directory, 'data'), join(directory, 'data'));
      const { rows } = await client.query<{ labelfile: string }>(
        'select labelfile from pg_backup_stop(wait_for_archive => false)',
      );
      await writeFile(join(directory, 'data/backup_label'), rows[0]!.labelfile);
    });
    await cp(join(source.directory, 'passwords.json'), join(directory, 'passwords.json'));
    return new BaseBackup(source, directory);
  }

  /** Names this instant, to which `recover` returns. */
  async mark(point: string): Promise<void> {
    await asAdmin(this.#source, (client) => client.query('select pg_create_restore_point($1)', [point]));
  }

  /** Starts another server with all databases as they were at the point, as a recovery of CloudNativePG does. */
  async recover(point: string, databases: readonly string[]): Promise<Postgres> {
    await asAdmin(this.#source, (client) => client.query('select pg_switch_wal()'));
    const archive = join(this.#source.directory, 'data/pg_wal');
    const settings = {
      restore_command: `cp "${archive}/%f" "%p"`,
      recovery_target_name: point,
      recovery_target_action: 'promote',
      // Connections wait until the recovery has ended.
      hot_standby: 'off',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    await writeFile(join(this.#directory, 'data/postgresql.auto.conf'), lines.join(''));
    await writeFile(join(this.#directory, 'data/recovery.signal'), '');
    return startPostgres({ directory: this.#directory, databases, durable: false });
  }
}

/** Copies until no file vanished meanwhile, such as that of a temporary table. */
async function copy(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await cp(from, to, { recursive: true, filter: (path) => !LEFT_OUT.test(path.slice(from.length + 1)) });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === COPIES) throw error;
      await rm(to, { recursive: true, force: true });
    }
  }
  // PostgreSQL refuses a directory that others can read.
  await chmod(to, 0o700);
  await mkdir(join(to, 'pg_wal'), { recursive: true, mode: 0o700 });
}
