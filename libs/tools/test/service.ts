import { generateKeyPairSync } from 'node:crypto';
import { Module } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext, ModuleMetadata, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ServiceName, ToolCatalog, ToolsEntry } from '@lyceum/contracts';
import { MessagingModule } from '@lyceum/messaging';
import type { KvMirror } from '@lyceum/messaging';
import { PlatformModule, createPlatform } from '@lyceum/platform';
import type { TestNats } from '@lyceum/testing';
import { ToolsModule } from '../src/index.js';

@Module({})
class Shell {}

const keys = generateKeyPairSync('ed25519');
const open = new Set<INestApplicationContext>();

interface Options {
  readonly service: ServiceName;
  readonly nats: TestNats;
  readonly providers: Type[];
  /** False leaves out the module under test. */
  readonly tools: boolean;
}

/** A service of these providers, without HTTP, in this process. */
export function startService({ service, nats, providers, tools }: Options): Promise<INestApplicationContext> {
  const imports = [
    PlatformModule.forRoot(createPlatform(service)),
    MessagingModule.forRoot({
      service,
      nats: nats.environment(service),
      ...(service === 'mcp-gateway' ? { signingKey: keys.privateKey } : { trustedKeys: [keys.publicKey] }),
    }),
    ...(tools ? [ToolsModule.forRoot({ service })] : []),
  ];
  return openContext({ imports, providers });
}

export async function openContext(
  metadata: Pick<ModuleMetadata, 'imports' | 'providers'>,
): Promise<INestApplicationContext> {
  const app = await NestFactory.createApplicationContext({ module: Shell, ...metadata } as DynamicModule, {
    logger: false,
    abortOnError: false,
  });
  open.add(app);
  return app;
}

/** Stops the services that a test left running. */
export async function closeServices(): Promise<void> {
  await Promise.all([...open].map((app) => app.close()));
  open.clear();
}

/** The catalog of the service. */
export function catalogOf(mirror: KvMirror<ToolsEntry>, service: string): ToolCatalog | undefined {
  return [...mirror.values()].find((entry): entry is ToolCatalog => 'service' in entry && entry.service === service);
}
