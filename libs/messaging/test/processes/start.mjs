import { NestFactory } from '@nestjs/core';
import { DatabaseModule, PlatformModule, createPlatform } from '@lyceum/platform';
import { MessagingModule, messagingMigrations } from '../../dist/index.js';

/** The built library in a process of its own, which can be killed. */
export function start(service, options) {
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
        PlatformModule.forRoot(createPlatform(service)),
        DatabaseModule.forRoot(database),
        MessagingModule.forRoot({ service, nats: process.env, database: true, ...options }),
      ],
    },
    { logger: ['error'], abortOnError: false },
  );
}
