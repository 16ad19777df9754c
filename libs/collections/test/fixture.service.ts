import { randomBytes } from 'node:crypto';
import { MessagingModule, messagingMigrations, natsEnvironment } from '@lyceum/messaging';
import {
  DatabaseModule,
  acceptJson,
  databaseEnvironment,
  migrateDatabase,
  readConfiguration,
  serviceEnvironment,
  startService,
} from '@lyceum/platform';
import type { RunningService } from '@lyceum/platform';
import { rateLimitMigrations } from '@lyceum/rate-limit';
import { ResourceServerModule, introspectionEnvironment, useResourceServer } from '@lyceum/resource-server';
import {
  BODY_LIMIT,
  RestEdgeModule,
  RestModule,
  IdempotencySteps1795987200063,
  Search1795987200030,
  Writes1763683200001,
  useRest,
} from '@lyceum/rest';
import { emptyDatabase, testInfrastructure, testNats, untilReady } from '@lyceum/testing';
import { ToolsModule } from '@lyceum/tools';
import { callTrustEnvironment } from '@lyceum/messaging';
import { z } from 'zod';
import { Callers, SITES } from '@lyceum/collections/conventions';
import type { CollectionModule } from '@lyceum/collections';

const environment = z.object({
  ...serviceEnvironment,
  ...databaseEnvironment,
  ...natsEnvironment,
  ...callTrustEnvironment,
  ...introspectionEnvironment,
});

/** A database, a NATS server and an introspection endpoint, on which services with collections start. */
export interface Ground {
  readonly callers: Callers;
  readonly databaseUrl: string;
  readonly natsEnvironment: (user: string) => Record<string, string>;
  start(modules: readonly CollectionModule[]): Promise<RunningService>;
  stop(): Promise<void>;
}

/** @param tables of the modules that the services will have. */
export async function openGround(tables: readonly CollectionModule[]): Promise<Ground> {
  const [infrastructure, database, nats, callers] = await Promise.all([
    testInfrastructure(),
    emptyDatabase(),
    testNats({ sites: SITES }),
    Callers.start(),
  ]);
  const config = readConfiguration(environment, {
    ...infrastructure.environments['admin-api'],
    ...nats.environment('admin-api'),
    DATABASE_URL: database.url,
    INTROSPECTION_URL: callers.url,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    SHUTDOWN_DELAY_MS: '0',
  });
  const options = {
    url: config.DATABASE_URL,
    applicationName: 'fixture',
    entities: tables.flatMap(({ entities }) => entities),
    migrations: [
      ...messagingMigrations,
      ...rateLimitMigrations,
      Writes1763683200001,
      IdempotencySteps1795987200063,
      Search1795987200030,
      ...tables.flatMap(({ migrations }) => migrations),
    ],
  };
  await migrateDatabase(options);
  const cursorKeys = [randomBytes(32)] as const;
  const running: RunningService[] = [];
  return {
    callers,
    databaseUrl: database.url,
    natsEnvironment: nats.environment,
    start: async (modules) => {
      const service = await startService(
        {
          name: 'admin-api',
          environment,
          bodyLimit: BODY_LIMIT,
          configure: (app) => {
            useResourceServer(app);
            useRest(app);
            acceptJson(app.getHttpAdapter().getInstance(), 'application/merge-patch+json');
          },
          module: (settings) => ({
            module: class FixtureModule {},
            imports: [
              DatabaseModule.forRoot(options),
              MessagingModule.forRoot({
                service: 'admin-api',
                nats: settings,
                trustedKeys: settings.CALL_PUBLIC_KEYS,
                database: true,
              }),
              RestModule.forRoot({ cursorKeys }),
              ...modules,
              ResourceServerModule.forRoot({ introspection: settings, metadataPath: '' }),
              ToolsModule.forRoot({ service: 'admin-api' }),
              RestEdgeModule,
            ],
          }),
        },
        config,
      );
      running.push(service);
      await untilReady(service.managementUrl);
      return service;
    },
    stop: async () => {
      await Promise.all(running.map((service) => service.close()));
      await Promise.all([database.drop(), nats.stop(), callers.stop()]);
    },
  };
}
