import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Child } from './child.js';
import { demoDefinition, type AppliedSite, type DemoDefinition } from './demo.js';
import { startEdge } from './edge.js';
import type { NatsServer } from './nats.js';
import { Part, type Death } from './part.js';
import { freePort } from './ports.js';
import type { Postgres } from './postgres.js';
import { fill, migrate, seed, type Step } from './prepare-data.js';
import { Secrets } from './secrets.js';
import { startServiceProcess, untilServiceReady } from './service-process.js';
import { serviceEnvironment, type DatabaseName, type ServicePorts, type ServiceSettings } from './services.js';
import { StackMemory } from './stack-memory.js';
import { databases, keepTopology, natsPart } from './stack-servers.js';

export interface StackOptions {
  /** Everything of this stack: data, secrets, logs. Two stacks never share one. */
  readonly directory: string;
  /** Port of the one origin. A free one unless given. */
  readonly edgePort?: number;
  /** Its content: two demo sites unless given. */
  readonly demo?: (edgePort: number) => DemoDefinition;
  /** False gives up safety against a power cut for speed: tests only. */
  readonly durable: boolean;
  /** Services that run outside of this stack, at their usual ports. */
  readonly without?: readonly ServiceName[];
  /** Where `DATABASE_URL_*` and `NATS_URL` are looked up. */
  readonly environment?: NodeJS.ProcessEnv;
  /** More variables for single services. */
  readonly settings?: Partial<Record<ServiceName, Readonly<Record<string, string>>>>;
  readonly step?: Step;
  /** A service that is restarted while it is developed: its end is reported here, and is not the end of the stack. */
  readonly developed?: { readonly name: ServiceName; readonly onDeath: (death: Death) => void };
}

export interface StackService {
  readonly name: ServiceName;
  readonly internalUrl: string;
  readonly managementUrl: string;
  readonly logFile: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
}

export type PartName = ServiceName | 'postgres' | 'nats';

export interface Stack {
  readonly edgeUrl: string;
  readonly sites: readonly AppliedSite[];
  readonly services: readonly StackService[];
  readonly nats: NatsServer;
  /** Undefined when all databases are external. */
  readonly postgres: Postgres | undefined;
  databaseUrl(database: DatabaseName): string;
  /** The environment of a service, to run it or one of its subcommands. */
  environment(service: ServiceName): Record<string, string>;
  /** SIGKILL. */
  kill(name: PartName): Promise<void>;
  /** Starts what does not run. Returns when it is ready. */
  start(name: PartName): Promise<void>;
  /** Ends it in order. */
  halt(name: PartName): Promise<void>;
  /** Ends it in order and starts it again, at the same address. */
  restart(name: PartName): Promise<void>;
  /** The first part that ended without being asked. */
  readonly died: Promise<Death>;
  stop(): Promise<void>;
}

/** Ends open requests sooner than a deployment does, because a developer waits after Ctrl-C. */
const LOCAL_SETTINGS = { SHUTDOWN_TIMEOUT_MS: '4000' };

/** The whole platform on this machine. Several may run side by side, each with its directory and ports. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { durable, without = [], environment: outer = process.env, step = (_title, work) => work() } = options;
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { promise: died, resolve: onDeath } = Promise.withResolvers<Death>();
  const ends: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };

  try {
    const servers = { directory, durable, environment: outer, onDeath };
    const [data, nats] = await Promise.all([databases(servers), natsPart(servers)]);
    const { postgres } = data;
    ends.push(async () => void (await Promise.all([postgres?.stop(), nats.stop()])));
    await step('start PostgreSQL and NATS', () => Promise.all([postgres?.start(), nats.start()]));
    ends.push(await keepTopology(nats.current, join(directory, 'logs')));

    const ports = await servicePorts();
    const url = (name: ServiceName): string => `http://127.0.0.1:${ports[name].port}`;
    const managementUrl = (name: ServiceName): string => `http://127.0.0.1:${ports[name].managementPort}`;
    const settings: ServiceSettings = {
      directory,
      secrets: new Secrets(join(directory, 'secrets.json')),
      nats: nats.current,
      databaseUrl: data.url,
      authUrl: url('auth'),
      developerInfoUrl: 'https://developers.example',
    };
    const environment = (name: ServiceName): Record<string, string> => ({
      ...serviceEnvironment(name, ports[name], settings),
      ...LOCAL_SETTINGS,
      ...options.settings?.[name],
    });
    const logFile = (name: ServiceName): string => join(directory, 'logs', `${name}.log`);
    const service = (name: ServiceName): Part<Child> =>
      new Part({
        name,
        launch: () => startServiceProcess(name, environment(name), logFile(name)),
        untilReady: (child) => untilServiceReady(child, managementUrl(name)),
        onDeath: name === options.developed?.name ? options.developed.onDeath : onDeath,
      });
    const services = Object.fromEntries(SERVICES.map((name) => [name, service(name)])) as Record<
      ServiceName,
      Part<Child>
    >;

    const memory = new StackMemory(join(directory, 'memory.json'));
    const preparation = { directory, memory, identity: data.identity, environment, step };
    await migrate(preparation);
    const edgePort = options.edgePort ?? (await freePort());
    const demo = (options.demo ?? demoDefinition)(edgePort);
    const sites = await seed(preparation, demo);
    memory.rememberEdgePort(edgePort);

    ends.push(async () => void (await Promise.all(Object.values(services).map((part) => part.stop()))));
    const mine = SERVICES.filter((name) => !without.includes(name));
    await step(`start ${mine.join(', ')}`, () => Promise.all(mine.map((name) => services[name].start())));

    const upstreams = Object.fromEntries(SERVICES.map((name) => [name, url(name)])) as Record<ServiceName, string>;
    const edge = await startEdge({
      port: edgePort,
      addresses: ['127.0.0.1', '::1'],
      upstreams,
      mailDirectory: join(directory, 'mail'),
    });
    ends.push(() => edge.close());

    if (mine.includes('auth') && mine.includes('admin-api')) await fill(preparation, nats.current, demo, sites);

    const part = (name: PartName): Part => {
      const found = name === 'nats' ? nats : name === 'postgres' ? postgres : services[name];
      if (!found) throw new Error(`${name} is not ours to start or stop`);
      return found;
    };
    return {
      edgeUrl: `http://localhost:${edge.port}`,
      sites,
      services: SERVICES.map((name) => ({
        name,
        internalUrl: url(name),
        managementUrl: managementUrl(name),
        logFile: logFile(name),
        get pid() {
          return services[name].pid;
        },
      })),
      get nats() {
        return nats.current;
      },
      get postgres() {
        return postgres?.current;
      },
      databaseUrl: data.url,
      environment,
      kill: (name) => part(name).kill(),
      start: (name) => part(name).start(),
      halt: (name) => part(name).stop(),
      restart: (name) => part(name).restart(),
      died,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function servicePorts(): Promise<Record<ServiceName, ServicePorts>> {
  const pairs = await Promise.all(
    SERVICES.map(async (name) => [name, { port: await freePort(), managementPort: await freePort() }] as const),
  );
  return Object.fromEntries(pairs) as Record<ServiceName, ServicePorts>;
}
