import { Module } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { z } from 'zod';
import type { ServiceConfiguration } from '../configuration/environment.js';
import { createHttpAdapter } from '../http/http-server.js';
import { NestLogger, createLogger } from '../process/logger.js';
import type { Logger } from '../process/logger.js';
import { startManagement } from './management.js';
import { withTaskSettings } from '../process/periodic-task.js';
import { measureSchedules } from '../telemetry/schedule-metrics.js';
import { PlatformModule, createPlatform } from './platform.module.js';
import type { Platform } from './platform.module.js';
import { ProblemFilter } from '../http/problem.filter.js';
import { addRequestHooks } from '../http/request-hooks.js';
import { leaveOutOtherRoles } from '../process/roles.js';
import type { Role } from '../process/roles.js';
import { drain, workTime } from '../process/shutdown.js';
import { startTracing } from '../telemetry/tracing.js';

/** A subcommand: `node dist/main.js <name> [args…]`. Results go to stdout, logs to stderr. */
export interface Command<C> {
  /** One line for the usage text. */
  readonly summary: string;
  run(config: C, args: readonly string[]): Promise<void>;
}

export interface ServiceDefinition<C extends ServiceConfiguration> {
  /** The service's name in logs, metrics, traces, PostgreSQL and NATS. */
  readonly name: string;
  /** `z.object({ ...serviceEnvironment, … })` */
  readonly environment: z.ZodObject & z.ZodType<C>;
  readonly module: (config: C) => DynamicModule;
  /** Runs after create and before init: Fastify hooks, content type parsers, raw routes. */
  readonly configure?: (app: NestFastifyApplication, config: C) => void | Promise<void>;
  /** Largest body in bytes; more is 413. */
  readonly bodyLimit: number;
  /** Appended to 404 responses of unknown paths: where to find the documentation. */
  readonly notFoundHint?: string;
  /** The service's name of the role `background`, when its replicas can have roles: `serve --role=<name>`. */
  readonly background?: string;
  /** The role of this replica. Without a role it does all work. */
  readonly role?: Role;
  /** Subcommands by name. */
  readonly commands?: Readonly<Record<string, Command<C>>>;
}

/** The parts of a service that a subcommand needs. */
type CommandDefinition<C extends ServiceConfiguration> = Pick<ServiceDefinition<C>, 'name' | 'module'>;

export interface RunningService {
  readonly app: NestFastifyApplication;
  /** `http://address:port` of the surface, as this process reaches it. Empty in the role `background`. */
  readonly url: string;
  readonly managementUrl: string;
  /** Drains and stops; see `drain`. The same promise for every caller. */
  close(): Promise<void>;
}

/** Creates the application of a root module. */
export type CreateApplication = (
  root: DynamicModule,
  adapter: FastifyAdapter,
  options: NestApplicationOptions,
) => Promise<NestFastifyApplication>;

@Module({})
class ServiceModule {}

/**
 * Starts the service in this process. When it resolves, both listeners are open; in the role `background` only that of
 * the management. Nothing remains when it rejects. Tests create the application with `@nestjs/testing` and overridden
 * providers.
 */
export async function startService<C extends ServiceConfiguration>(
  definition: ServiceDefinition<C>,
  config: C,
  logger: Logger = createLogger({ service: definition.name, level: config.LOG_LEVEL }),
  create: CreateApplication = (root, adapter, options) => NestFactory.create(root, adapter, options),
): Promise<RunningService> {
  const platform = createPlatform(definition.name, {
    notFoundHint: definition.notFoundHint,
    readinessTimeout: config.READINESS_TIMEOUT_MS,
  });
  const resources = new AsyncDisposableStack();
  try {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = config;
    if (endpoint !== undefined) {
      const tracing = await startTracing({ endpoint, service: definition.name, ratio });
      resources.defer(() => tracing.stop().catch((error: unknown) => logger.warn({ err: error }, 'spans were lost')));
    }
    // Before the module, whose start may wait for other services: liveness works meanwhile.
    const management = await startManagement({ host: config.HOST, port: config.MANAGEMENT_PORT }, platform);
    resources.defer(() => management.close());
    const app = await createApplication(definition, config, platform, logger, create);
    resources.defer(() => app.close());
    await definition.configure?.(app, config);
    if (definition.role !== undefined) leaveOutOtherRoles(app, definition.role);
    const served = definition.role !== 'background';
    const begin = async (): Promise<unknown> =>
      served ? app.listen({ port: config.PORT, host: config.HOST }) : app.init();
    const { lifecycle, metrics } = platform;
    await withTaskSettings({ ...config, lifecycle, started: measureSchedules(metrics) }, begin);
    platform.health.started();
    let closing: Promise<void> | undefined;
    return {
      app,
      url: served ? await app.getUrl() : '',
      managementUrl: `http://${addressOf(config.HOST)}:${management.port}`,
      close: () => (closing ??= drain({ app, ...platform }, config, logger).then(() => resources.disposeAsync())),
    };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

async function createApplication<C extends ServiceConfiguration>(
  definition: ServiceDefinition<C>,
  config: C,
  platform: Platform,
  logger: Logger,
  create: CreateApplication,
): Promise<NestFastifyApplication> {
  const refusals = new ProblemFilter(platform.allowedMethods, platform.notFoundDetail);
  const adapter = createHttpAdapter({
    bodyLimit: definition.bodyLimit,
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    trustedProxies: config.TRUSTED_PROXIES,
    refuse: (error, request, reply) => refusals.response(error, request, reply),
  });
  const instance = adapter.getInstance();
  platform.allowedMethods.follow(instance);
  const traces = { ofCallers: config.TRACES_OF_CALLERS, hasProxies: config.TRUSTED_PROXIES.length > 0 };
  addRequestHooks(instance, { logger, traces, ...platform });
  const root = rootModule(definition, config, platform);
  return create(root, adapter, {
    logger: new NestLogger(logger),
    // The adapter has the JSON parser. Each service registers the other media types.
    bodyParser: false,
    abortOnError: false,
  });
}

function rootModule<C extends ServiceConfiguration>(
  definition: CommandDefinition<C>,
  config: C,
  platform: Platform,
): DynamicModule {
  return { module: ServiceModule, imports: [PlatformModule.forRoot(platform), definition.module(config)] };
}

/**
 * Runs `work` of a subcommand with the service's providers and without listeners, then stops them. Module hooks run as
 * in a serving process, but schedules stand still: the replicas run them. The relay of the outbox and queues run,
 * because commands wait for their work.
 */
export function runInContext<C extends ServiceConfiguration, T>(
  definition: CommandDefinition<C>,
  config: C,
  work: (context: INestApplicationContext) => Promise<T>,
  options: Pick<NestApplicationOptions, 'logger'> = {},
): Promise<T> {
  const platform = createPlatform(definition.name);
  const { lifecycle } = platform;
  return withTaskSettings({ ...config, lifecycle, PERIODIC_TASKS: 'off' }, async () => {
    const context = await NestFactory.createApplicationContext(rootModule(definition, config, platform), {
      ...options,
      abortOnError: false,
    });
    try {
      return await work(context);
    } finally {
      lifecycle.stop(workTime(config));
      await context.close();
    }
  });
}

/** Address at which this process reaches a listener on all interfaces. */
function addressOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
