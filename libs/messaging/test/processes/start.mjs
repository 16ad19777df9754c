import { NestFactory } from '@nestjs/core';
import { DatabaseModule, HealthRegistry, Lifecycle, MetricsRegistry } from '@lyceum/platform';
import { MessagingModule, messagingMigrations } from '../../dist/index.js';

/** The built library in a process of its own, which can be killed. */
export function start(service, options) {
  const values = [
    { provide: HealthRegistry, useValue: new HealthRegistry() },
    { provide: Lifecycle, useValue: new Lifecycle() },
    { provide: MetricsRegistry, useValue: new MetricsRegistry(service) },
  ];
  const database = {
    url: process.env.DATABASE_URL,
    applicationName: service,
    entities: [],
    migrations: messagingMigrations,
  };
  return NestFactory.createApplicationContext(
    {
      module: class Root {},
      imports: [
        { module: class Platform {}, global: true, providers: values, exports: values },
        DatabaseModule.forRoot(database),
        MessagingModule.forRoot({ service, nats: process.env, database: true, ...options }),
      ],
    },
    { logger: ['error'], abortOnError: false },
  );
}
