import 'reflect-metadata';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { ToolDescription } from '@lyceum/contracts';
import { PlatformModule, createPlatform } from '@lyceum/platform';
import { ToolsDiscovery } from '@lyceum/tools';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AdminApiModule } from './admin-api.module.js';
import { environment } from './configuration.js';

@Module({})
class PrintModule {}

/** The tools of the service. Opens no connection: an application that is not initialized only creates its providers. */
export async function toolCatalog(): Promise<readonly ToolDescription[]> {
  const { publicKey } = generateKeyPairSync('ed25519');
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
  return app.get(ToolsDiscovery, { strict: false }).find().catalog.tools;
}
