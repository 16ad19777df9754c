import { SERVICES, type ServiceName } from '@lyceum/contracts';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startBalancer } from './balancer.js';
import { demoDefinition, type AppliedSite, type DemoDefinition } from './demo.js';
import type { DemoDay } from './demo-day.js';
import { startEdge } from './edge.js';
import type { NatsServer } from './nats.js';
import type { Death, Part } from './part.js';
import { freePort } from './ports.js';
import type { Postgres } from './postgres.js';
import { demoDay, fill, migrate, seed, type Step } from './prepare-data.js';
import { Secrets } from './secrets.js';
import type { StackService } from './service-replica.js';
import { ServiceReplicas } from './service-replicas.js';
import { serviceEnvironment, type DatabaseName, type ServiceSettings } from './services.js';
import { StackMemory } from './stack-memory.js';
import { databases, keepTopology, natsPart } from './stack-servers.js';
import { PROBE_MS, Upstreams } from './upstreams.js';
import { WORKSPACE } from './workspace.js';

export interface StackOptions {
  /** Everything of this stack: data, secrets, logs. Two stacks never share one. */
  readonly directory: string;
  /** Port of the one origin. A free one unless given. */
  readonly edgePort?: number;
  /** Its content: two demo sites unless given. */
  readonly demo?: (edgePort: number, day: DemoDay) => DemoDefinition;
  /** False makes the sites with their people and clients alone, for tests that need no content. */
  readonly filled?: boolean;
  /** False gives up safety against a power cut for speed: tests only. */
  readonly durable: boolean;
  /** Services that run outside of this stack, at their usual ports. */
  readonly without?: readonly ServiceName[];
  /** Where `DATABASE_URL_*` and `NATS_URL` are looked up. */
  readonly environment?: NodeJS.ProcessEnv;
  /** More variables for single services. */
  readonly settings?: Partial<Record<ServiceName, Readonly<Record<string, string>>>>;
  /** Replicas of single services; the others have one. */
  readonly replicas?: Readonly<Partial<Record<ServiceName, number>>>;
  /** Called when a replica has ended without a stop while another one of its service runs. */
  readonly onReplicaDeath?: (death: Death) => void;
  /** The folder of the release that runs; this repository unless given. */
  readonly root?: string;
  readonly step?: Step;
  /** A service that is restarted while it is developed: its end is reported here, and is not the end of the stack. */
  readonly developed?: { readonly name: ServiceName; readonly onDeath: (death: Death) => void };
}

export type PartName = ServiceName | 'postgres' | 'nats';

export interface Stack {
  readonly edgeUrl: string;
  readonly sites: readonly AppliedSite[];
  /** Every replica of every service. */
  readonly services: readonly StackService[];
  readonly nats: NatsServer;
  /** Undefined when all databases are external. */
  readonly postgres: Postgres | undefined;
  databaseUrl(database: DatabaseName): string;
  /** The environment of a service, to run it or one of its subcommands. The ports are those of its first replica. */
  environment(service: ServiceName): Record<string, string>;
  /** SIGKILL, for all replicas. */
  kill(name: PartName): Promise<void>;
  /** Starts what does not run. Returns when it is ready. */
  start(name: PartName): Promise<void>;
  /** Ends it in order. */
  halt(name: PartName): Promise<void>;
  /** Ends it in order and starts it again, at the same address; one replica after the other. */
  restart(name: PartName): Promise<void>;
  /** The first part that ended without being asked. */
  readonly died: Promise<Death>;
  stop(): Promise<void>;
}

type Controls = Pick<Part, 'kill' | 'start' | 'stop' | 'restart'>;

/** The services that the import of the demo needs. */
const FILLING: readonly ServiceName[] = ['auth', 'admin-api', 'mcp-gateway'];

/** Ends open requests sooner than a deployment does, because a developer waits after Ctrl-C. */
const LOCAL_SETTINGS = { SHUTDOWN_TIMEOUT_MS: '4000' };

/** With several replicas, one that stops serves until the edge has noticed, also on a busy machine. */
const TWIN_SETTINGS = { SHUTDOWN_DELAY_MS: String(6 * PROBE_MS) };

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

    const { replicas: counts = {}, root = WORKSPACE } = options;
    const services = await ServiceReplicas.create({
      counts,
      root,
      environment: (name) => environment(name),
      logDirectory: join(directory, 'logs'),
      onDeath: (name, death, isLast) => {
        if (name === options.developed?.name) options.developed.onDeath(death);
        else if (isLast) onDeath(death);
        else options.onReplicaDeath?.(death);
      },
    });
    const upstreams = Object.fromEntries(SERVICES.map((name) => [name, new Upstreams(services.of(name))])) as Record<
      ServiceName,
      Upstreams
    >;
    ends.push(async () => Object.values(upstreams).forEach((one) => one.close()));
    const isSpread = (name: ServiceName): boolean => services.of(name).length > 1;
    const balancer = isSpread('auth') ? await startBalancer(await freePort(), upstreams.auth) : undefined;
    if (balancer !== undefined) ends.push(() => balancer.close());
    const settings: ServiceSettings = {
      directory,
      secrets: new Secrets(join(directory, 'secrets.json')),
      nats: nats.current,
      databaseUrl: data.url,
      authUrl: balancer?.url ?? services.first('auth').internalUrl,
      developerInfoUrl: 'https://developers.example',
    };
    const environment = (name: ServiceName): Record<string, string> => ({
      ...serviceEnvironment(name, services.first(name).ports, settings),
      ...LOCAL_SETTINGS,
      ...(isSpread(name) ? TWIN_SETTINGS : {}),
      ...options.settings?.[name],
    });

    const memory = new StackMemory(join(directory, 'memory.json'));
    const preparation = { directory, root, memory, identity: data.identity, environment, step };
    await migrate(preparation);
    const edgePort = options.edgePort ?? (await freePort());
    const demo = (options.demo ?? demoDefinition)(edgePort, demoDay(preparation));
    const sites = await seed(preparation, demo);
    memory.rememberEdgePort(edgePort);

    ends.push(() => services.stop());
    const mine = SERVICES.filter((name) => !without.includes(name));
    await step(`start ${mine.join(', ')}`, () => Promise.all(mine.map((name) => services.start(name))));

    const edge = await startEdge({
      port: edgePort,
      addresses: ['127.0.0.1', '::1'],
      upstreams,
      mailDirectory: join(directory, 'mail'),
    });
    ends.push(() => edge.close());

    if (options.filled !== false && FILLING.every((name) => mine.includes(name)))
      await fill(preparation, nats.current, demo, sites);

    const part = (name: PartName): Controls => {
      const server = name === 'nats' ? nats : name === 'postgres' ? postgres : controlsOf(services, name);
      if (!server) throw new Error(`${name} is not ours to start or stop`);
      return server;
    };
    return {
      edgeUrl: `http://localhost:${edge.port}`,
      sites,
      services: services.all,
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

function controlsOf(services: ServiceReplicas, name: ServiceName): Controls {
  return {
    kill: () => services.kill(name),
    start: () => services.start(name),
    stop: () => services.halt(name),
    restart: () => services.restart(name),
  };
}
