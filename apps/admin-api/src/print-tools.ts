/** Prints the tools that are committed as `tools.json`: `npm run tools -w @lyceum/admin-api`. Starts no server. */
import 'reflect-metadata';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { PlatformModule, createPlatform } from '@lyceum/platform';
import { ToolsDiscovery } from '@lyceum/tools';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AdminApiModule } from './admin-api.module.js';
import { environment } from './configuration.js';

@Module({})
class PrintModule {}

const { publicKey } = generateKeyPairSync('ed25519');
// Opens no connection: a Nest application that is not initialized only creates its providers.
const config = environment.parse({
  DATABASE_URL: 'postgres://print@localhost/print',
  NATS_URL: 'nats://localhost',
  NATS_USER: 'print',
  NATS_PASSWORD: 'print',
  CALL_PUBLIC_KEYS: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  INTROSPECTION_URL: 'http://localhost/introspect',
  INTROSPECTION_CLIENT_ID: 'print',
  INTROSPECTION_CLIENT_SECRET: 'print',
  CURSOR_KEY: randomBytes(32).toString('base64'),
  KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  FILES_KEY: randomBytes(32).toString('base64'),
});
const imports = [PlatformModule.forRoot(createPlatform('print')), AdminApiModule.forRoot(config)];
const app = await NestFactory.create({ module: PrintModule, imports }, new FastifyAdapter(), {
  logger: false,
  abortOnError: false,
});
const { tools } = app.get(ToolsDiscovery, { strict: false }).find().catalog;
// Timers of the providers would keep the process running.
process.stdout.write(`${JSON.stringify(tools, null, 2)}\n`, () => process.exit());
