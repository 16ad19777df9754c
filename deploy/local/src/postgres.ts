import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runCommand, startChild, type Child, type Exit } from './child.js';
import { embeddedPostgres } from './embedded-postgres.js';
import { freePort } from './ports.js';
import { provision } from './provision.js';
import { Secrets } from './secrets.js';
import { awaitFormerServer } from './stale-server.js';
import { unprivileged, type Unprivileged } from './unprivileged.js';

export interface PostgresOptions {
  /** Holds the cluster, its passwords and its log. */
  readonly directory: string;
  /** Each gets a database and a role of the same name, and no role sees another's database. */
  readonly databases: readonly string[];
  readonly port?: number;
  /** False gives up safety against a power cut for speed: tests only. */
  readonly durable: boolean;
}

export interface Postgres {
  readonly port: number;
  /** Connection string of a database for its own role. */
  url(database: string): string;
  /** Connection string of the superuser. */
  readonly adminUrl: string;
  readonly pid: number;
  readonly logFile: string;
  readonly exited: Promise<Exit>;
  /** The postmaster and every process of it, for tests that freeze the whole server. */
  pids(): number[];
  stop(): Promise<void>;
  /** SIGKILL to the postmaster; `startPostgres` on the same directory recovers. */
  kill(): Promise<void>;
}

const ADMIN = 'postgres';
/** Text is ordered and folded by Unicode, on every machine in the same way. All other deployments have the same. */
export const LOCALE = '--encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C';

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const directory = resolve(options.directory);
  const data = join(directory, 'data');
  const secrets = new Secrets(join(directory, 'passwords.json'));
  const programs = embeddedPostgres();
  const user = unprivileged();
  if (!existsSync(data)) await makeCluster(data, programs.initdb, secrets.password(ADMIN), user, options.durable);
  user.own(data);
  await awaitFormerServer(join(data, 'postmaster.pid'), programs.postgres);

  const port = options.port ?? (await freePort());
  const child = startChild({
    name: 'postgres',
    command: [programs.postgres, '-D', data, ...settings(port, options.durable)],
    prefix: user.prefix,
    // Fast shutdown: SIGTERM would wait for open connections for ever.
    stopSignal: 'SIGINT',
    logFile: join(directory, 'postgres.log'),
  });
  const url = (role: string, database: string): string =>
    `postgresql://${role}:${secrets.password(role)}@127.0.0.1:${port}/${database}`;
  const adminUrl = url(ADMIN, 'postgres');
  try {
    await untilReady(child, adminUrl);
    await provision(adminUrl, options.databases, (role) => secrets.password(role));
  } catch (error) {
    await child.stop();
    throw error;
  }
  return {
    port,
    adminUrl,
    url: (database) => url(database, database),
    pid: child.pid,
    logFile: child.logFile,
    exited: child.exited,
    pids: () => (child.running ? [child.pid, ...childrenOf(child.pid)] : []),
    stop: async () => void (await child.stop()),
    kill: async () => void (await child.kill()),
  };
}

async function makeCluster(
  data: string,
  initdb: string,
  password: string,
  user: Unprivileged,
  durable: boolean,
): Promise<void> {
  // Made beside its place and renamed when whole: an interrupted first start is no half cluster at the second.
  const draft = `${data}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const passwordFile = join(draft, '..', 'initdb-password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  user.own(draft);
  user.own(passwordFile);
  try {
    const access = [`--username=${ADMIN}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    await runCommand({
      name: 'initdb',
      command: [
        initdb,
        '-D',
        draft,
        '--no-instructions',
        ...access,
        ...LOCALE.split(' '),
        ...(durable ? [] : ['--no-sync']),
      ],
      prefix: user.prefix,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, data);
}

function settings(port: number, durable: boolean): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    // Short statements only: compiling them costs more than it saves.
    jit: 'off',
    // For solid-state disks: at the default of 4, a look-up of twenty rows turns into a scan of the whole table.
    random_page_cost: '1.1',
    timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function untilReady(child: Child, adminUrl: string): Promise<void> {
  const until = Date.now() + 30_000;
  for (;;) {
    const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (!child.running) throw new Error(`PostgreSQL did not start. Its log says:\n${child.tail()}`, { cause: error });
      if (Date.now() > until)
        throw new Error(`PostgreSQL does not answer. Its log says:\n${child.tail()}`, { cause: error });
      await sleep(20);
    }
  }
}

function childrenOf(pid: number): number[] {
  try {
    const parents = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return parents.map(Number).filter((other) => parentOf(other) === pid);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number | undefined {
  try {
    // Field 4, behind the name in parentheses, which may hold spaces.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}
