import { Module } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DatabaseModule, PlatformModule, createPlatform, migrateDatabase } from '@lyceum/platform';
import type { HealthRegistry, Lifecycle } from '@lyceum/platform';
import { emptyDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import { inspect } from 'node:util';
import { MessagingModule, messagingMigrations } from '../src/index.js';
import type { MessagingOptions } from '../src/index.js';

@Module({})
class Shell {}

export interface TestService {
  get<T>(type: Type<T>): T;
  readonly health: HealthRegistry;
  readonly lifecycle: Lifecycle;
  /** The sum of a metric's values, filtered by the labels. */
  metric(name: string, label?: Readonly<Record<string, string>>): Promise<number>;
  close(): Promise<void>;
}

interface Options extends Omit<MessagingOptions, 'database'> {
  /** URL of a migrated database. */
  readonly database?: string;
}

/** Milliseconds that running work has when a service closes. */
const WORK_TIME = 5_000;

const open = new Map<INestApplicationContext, Lifecycle>();
const databases = new Set<TestDatabase>();

/** Log lines of the services of this process. */
export const logs: string[] = [];
const keep = (...parts: unknown[]): void => void logs.push(parts.map((part) => inspect(part, { depth: 5 })).join(' '));
const logger: LoggerService = { log: keep, warn: keep, error: keep, debug: () => undefined };

/** Stops the services that a test left running. */
export async function closeServices(): Promise<void> {
  await Promise.all([...open].map(stop));
  open.clear();
  await Promise.all([...databases].map((database) => database.drop()));
  databases.clear();
  logs.length = 0;
}

function stop([app, lifecycle]: readonly [INestApplicationContext, Lifecycle]): Promise<void> {
  lifecycle.stop(WORK_TIME);
  return app.close();
}

/** A database with an empty outbox and inbox, to which a test adds its tables. */
export async function messagingDatabase(): Promise<string> {
  const database = await emptyDatabase();
  databases.add(database);
  await migrateDatabase({ ...databaseOptions('test', database.url) });
  return database.url;
}

/** A service of this library alone, without HTTP, in this process. */
export async function startService(options: Options): Promise<TestService> {
  const { database, ...messaging } = options;
  const platform = createPlatform(options.service);
  const { health, metrics, lifecycle } = platform;
  const imports: DynamicModule[] = [PlatformModule.forRoot(platform)];
  if (database !== undefined) imports.push(DatabaseModule.forRoot(databaseOptions(options.service, database)));
  imports.push(MessagingModule.forRoot({ ...messaging, database: database !== undefined }));
  const app = await NestFactory.createApplicationContext({ module: Shell, imports }, { logger, abortOnError: false });
  open.set(app, lifecycle);
  health.started();
  return {
    get: (type) => app.get(type, { strict: false }),
    health,
    lifecycle,
    metric: async (name, label = {}) => {
      const found = await metrics.registry.getSingleMetric(name)?.get();
      const wanted = Object.entries(label);
      return (found?.values ?? [])
        .filter(({ labels }) => wanted.every(([key, value]) => Object(labels)[key] === value))
        .reduce((sum, { value }) => sum + value, 0);
    },
    close: async () => {
      open.delete(app);
      await stop([app, lifecycle]);
    },
  };
}

function databaseOptions(applicationName: string, url: string) {
  return { url, poolSize: 5, applicationName, entities: [], migrations: messagingMigrations };
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
