import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { z } from 'zod';
import { AllowedMethods } from './allowed-methods.js';
import type { ServiceConfiguration } from './environment.js';
import { HealthRegistry } from './health.js';
import { createHttpAdapter } from './http-server.js';
import { Lifecycle } from './lifecycle.js';
import { NestLogger, createLogger } from './logger.js';
import type { Logger } from './logger.js';
import { startManagement } from './management.js';
import { MetricsRegistry } from './metrics.js';
import { PlatformModule } from './platform.module.js';
import { ProblemFilter } from './problem.filter.js';
import { addRequestHooks } from './request-hooks.js';
import { drain } from './shutdown.js';
import { startTracing } from './tracing.js';

/** A subcommand: `node dist/main.js <name> [args…]`. Results go to stdout, logs to stderr. */
export interface Command<C> {
  /** One line for the usage text. */
  readonly summary: string;
  run(config: C, args: readonly string[]): Promise<void>;
}

export interface ServiceDefinition<C extends ServiceConfiguration> {
  /** The service's name in logs, metrics, traces, and towards the database and NATS. */
  readonly name: string;
  /** `z.object({ ...serviceEnvironment, … })` */
  readonly environment: z.ZodObject & z.ZodType<C>;
  readonly module: (config: C) => DynamicModule;
  /** Runs after create and before init: Fastify hooks, content type parsers, raw routes. */
  readonly configure?: (app: NestFastifyApplication, config: C) => void | Promise<void>;
  /** Largest body in bytes; more is 413. */
  readonly bodyLimit: number;
  /** By first word; `args` carry the rest. */
  readonly commands?: Readonly<Record<string, Command<C>>>;
}

export interface RunningService {
  readonly app: NestFastifyApplication;
  /** `http://address:port` of the surface, as this process reaches it. */
  readonly url: string;
  readonly managementUrl: string;
  /** Drains and stops; see `drain`. The same promise for every caller. */
  close(): Promise<void>;
}

@Module({})
class ServiceModule {}

/** Starts the service in this process. Both listeners are open when it resolves; nothing is left when it rejects. */
export async function startService<C extends ServiceConfiguration>(
  definition: ServiceDefinition<C>,
  config: C,
  logger: Logger = createLogger({ service: definition.name, level: config.LOG_LEVEL }),
): Promise<RunningService> {
  const platform = {
    health: new HealthRegistry(),
    metrics: new MetricsRegistry(definition.name),
    lifecycle: new Lifecycle(),
    allowedMethods: new AllowedMethods(),
  };
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const tracing = endpoint === undefined ? undefined : await startTracing({ endpoint, service: definition.name });
  // Before the module, whose start may wait for others: the platform can see meanwhile that the process lives.
  const management = await startManagement(
    { host: config.HOST, port: config.MANAGEMENT_PORT },
    platform.health,
    platform.metrics,
  );
  let app: NestFastifyApplication | undefined;
  const release = async (): Promise<void> => {
    await app?.close();
    await management.close();
    await tracing?.stop().catch((error: unknown) => logger.warn({ err: error }, 'the last spans were not exported'));
  };
  try {
    app = await createApplication(definition, config, platform, logger);
    await app.listen({ port: config.PORT, host: config.HOST });
    platform.health.started();
  } catch (error) {
    await release().catch((fault: unknown) => logger.error({ err: fault }, 'releasing a failed start failed'));
    throw error;
  }
  const running = app;
  let closing: Promise<void> | undefined;
  return {
    app: running,
    url: await running.getUrl(),
    managementUrl: new URL(`http://${addressOf(config.HOST)}:${management.port}`).origin,
    close: () => (closing ??= drain({ app: running, ...platform }, config, logger).then(release)),
  };
}

async function createApplication<C extends ServiceConfiguration>(
  definition: ServiceDefinition<C>,
  config: C,
  platform: { health: HealthRegistry; metrics: MetricsRegistry; lifecycle: Lifecycle; allowedMethods: AllowedMethods },
  logger: Logger,
): Promise<NestFastifyApplication> {
  const refusals = new ProblemFilter(platform.allowedMethods);
  const adapter = createHttpAdapter({
    bodyLimit: definition.bodyLimit,
    trustedProxies: config.TRUSTED_PROXIES,
    refuse: (error, request, reply) => refusals.answer(error, request, reply),
  });
  const instance = adapter.getInstance();
  platform.allowedMethods.follow(instance);
  addRequestHooks(instance, { logger, ...platform });
  const root: DynamicModule = {
    module: ServiceModule,
    imports: [PlatformModule.forRoot(platform), definition.module(config)],
  };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: new NestLogger(logger),
    // Fastify's own JSON parser is kept: it refuses prototype poisoning. Other types are the service's to register.
    bodyParser: false,
    abortOnError: false,
  });
  await definition.configure?.(app, config);
  return app;
}

/** Where this process reaches a listener that is bound to every address. */
function addressOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
