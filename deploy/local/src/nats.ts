import { HUB_API, HUB_USERS, natsAccounts, PROGRAMS, SERVICES, type NatsUser } from '@lyceum/contracts';
import type { BootstrapSettings } from '@lyceum/topology';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, type Exit } from './child.js';
import { fileStoreLimit } from './file-store-limit.js';
import { natsGreeting } from './nats-greeting.js';
import { assertSupportedVersion, natsProgram } from './nats-program.js';
import { freePort } from './ports.js';
import { Secrets } from './secrets.js';
import { awaitFormerServer } from './stale-server.js';

/** The API in an account that has JetStream itself. */
const JETSTREAM_API = '$JS.API';

/**
 * The users of the embedded server: one for each service and program, `bootstrap`, and `admin` for operators and tests.
 */
export const NATS_USERS: readonly NatsUser[] = [...SERVICES, ...PROGRAMS, ...HUB_USERS];

/** Prefix of the JetStream API for a user, with the accounts of the platform. */
export function apiPrefixOf(user: string): string {
  return HUB_USERS.some((name) => name === user) ? JETSTREAM_API : HUB_API;
}

export interface NatsOptions {
  /** Holds the JetStream store, the passwords, the configuration and the log. */
  readonly directory: string;
  readonly port?: number;
  /** Port of its monitoring endpoint (`/healthz`), which it has only with this option. */
  readonly monitorPort?: number;
  /** True writes every message through to the disk before it is acknowledged. */
  readonly durable: boolean;
}

export interface NatsServer {
  readonly url: string;
  /** Undefined for a server that we did not start and that wants no password. */
  userPassword(user: string): string | undefined;
  userName(user: string): string | undefined;
  /** Prefix of the JetStream API for a user. */
  apiPrefix(user: string): string;
  readonly logFile: string;
  readonly pid: number | undefined;
  readonly exited: Promise<Exit>;
  stop(): Promise<void>;
  /** SIGKILL; `startNats` on the same directory and port takes up the store again. */
  kill(): Promise<void>;
}

/** The server named by NATS_URL, or one of our own. */
export async function startNats(options: NatsOptions, environment = process.env): Promise<NatsServer> {
  return environment['NATS_URL'] ? foreignNats(environment['NATS_URL'], environment) : embeddedNats(options);
}

async function embeddedNats(options: NatsOptions): Promise<NatsServer> {
  const directory = resolve(options.directory);
  const store = join(directory, 'jetstream');
  mkdirSync(store, { recursive: true, mode: 0o700 });
  const secrets = new Secrets(join(directory, 'passwords.json'));
  const program = natsProgram();
  const pidFile = join(directory, 'nats.pid');
  await awaitFormerServer(pidFile, program);

  const port = options.port ?? (await freePort());
  const configuration = join(directory, 'nats.json');
  writeFileSync(
    configuration,
    // The configuration language of NATS reads JSON.
    JSON.stringify({
      server_name: 'lyceum-local',
      listen: `127.0.0.1:${port}`,
      pid_file: pidFile,
      ...(options.monitorPort ? { http: `127.0.0.1:${options.monitorPort}` } : {}),
      jetstream: {
        store_dir: store,
        max_mem: 268_435_456,
        max_file: fileStoreLimit(store),
        // The default writes through every two minutes: an acknowledged event could be lost with the power.
        sync_interval: options.durable ? 'always' : '2m',
      },
      accounts: natsAccounts((user) => secrets.password(user)),
    }),
    { mode: 0o600 },
  );
  const child = startChild({
    name: 'nats',
    command: [program, '--config', configuration],
    stopSignal: 'SIGTERM',
    logFile: join(directory, 'nats.log'),
  });
  try {
    await untilReady(port, () => child.running);
  } catch (error) {
    await child.stop();
    throw new Error(`NATS did not start. Its log says:\n${child.tail()}`, { cause: error });
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    userName: (user) => user,
    apiPrefix: apiPrefixOf,
    userPassword: (user) => secrets.password(user),
    logFile: child.logFile,
    pid: child.pid,
    exited: child.exited,
    stop: async () => void (await child.stop()),
    kill: async () => void (await child.kill()),
  };
}

/** How the bootstrap step reaches the server: as its own user, or as the one user of somebody else's server. */
export function bootstrapSettings(server: Pick<NatsServer, 'url' | 'userName' | 'userPassword'>): BootstrapSettings {
  const user = server.userName('bootstrap');
  return { url: server.url, user, password: server.userPassword('bootstrap'), replicas: 1 };
}

async function untilReady(port: number, running: () => boolean): Promise<void> {
  const until = Date.now() + 20_000;
  for (;;) {
    try {
      await natsGreeting('127.0.0.1', port);
      return;
    } catch (error) {
      if (!running() || Date.now() > until) throw error;
      await sleep(20);
    }
  }
}

/** Somebody else's server: one user for all (`NATS_USER`, `NATS_PASSWORD`), or none. */
async function foreignNats(address: string, environment: NodeJS.ProcessEnv): Promise<NatsServer> {
  const { hostname, port } = new URL(address);
  const greeting = await natsGreeting(hostname, Number(port || 4222)).catch((cause: Error) => {
    throw new Error(`NATS_URL names a server that does not answer: ${cause.message}`, { cause });
  });
  assertSupportedVersion(greeting.version, 'The server of NATS_URL');
  if (!greeting.jetstream) throw new Error('The server of NATS_URL has no JetStream (nats-server --jetstream).');
  return {
    url: address,
    userName: () => environment['NATS_USER'],
    apiPrefix: () => JETSTREAM_API,
    userPassword: () => environment['NATS_PASSWORD'],
    logFile: '',
    pid: undefined,
    exited: new Promise(() => {}),
    stop: async () => {},
    kill: async () => {
      throw new Error('The server of NATS_URL is not ours to kill');
    },
  };
}
