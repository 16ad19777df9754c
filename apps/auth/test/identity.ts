import type { INestApplicationContext, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { PlatformModule, createPlatform, readConfiguration, withTaskSettings } from '@lyceum/platform';
import { testDatabase, testInfrastructure } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { authEnvironment } from '#src/auth.environment.js';
import type { AuthConfiguration } from '#src/auth.environment.js';
import { CommandsModule } from '#src/commands/commands.module.js';
import { InfrastructureModule } from '#src/infrastructure.module.js';

export interface TestIdentity {
  readonly context: INestApplicationContext;
  readonly config: AuthConfiguration;
  sql<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/**
 * The modules of the command line with these, without an HTTP surface, with its own database and with NATS down. The
 * tests take the turns of scheduled tasks.
 */
export function startIdentity(...modules: Type[]): Promise<TestIdentity> {
  return startIdentityWith({}, ...modules);
}

export async function startIdentityWith(
  environment: Readonly<Record<string, string>>,
  ...modules: Type[]
): Promise<TestIdentity> {
  const { environments } = await testInfrastructure();
  const database = await testDatabase('auth');
  const config = readConfiguration(authEnvironment, {
    ...environments.auth,
    NATS_URL: 'nats://127.0.0.1:1',
    DATABASE_URL: database.url,
    ...environment,
  });
  const context = await Test.createTestingModule({
    imports: [
      PlatformModule.forRoot(createPlatform('auth')),
      InfrastructureModule.forRoot(config),
      CommandsModule,
      ...modules,
    ],
  }).compile();
  context.useLogger(false);
  await withTaskSettings(config, () => context.init());
  return {
    context,
    config,
    sql: async (text, values = []) => context.get(DataSource).query(text, [...values]),
    async stop() {
      await context.close();
      await database.drop();
    },
  };
}

/** A site, a member, and a client; their ids. */
export async function stageOne(identity: TestIdentity, slug = 'one') {
  const [site] = await identity.sql<{ site_id: string }>(
    `INSERT INTO sites (base_url, host, name, slug, org_id) VALUES ($1, $2, 'Site', $3, $4) RETURNING site_id`,
    [`https://${slug}.example`, `${slug}.example`, slug, `org_${slug}`],
  );
  const [person] = await identity.sql<{ person_id: string }>(
    `INSERT INTO people (email, name) VALUES ($1, 'Person') RETURNING person_id`,
    [`${slug}@school.example`],
  );
  const [member] = await identity.sql<{ member_id: string }>(
    `INSERT INTO site_members (site_id, person_id, roles) VALUES ($1, $2, '{student}') RETURNING member_id`,
    [site?.site_id, person?.person_id],
  );
  const [client] = await identity.sql<{ client_key: string }>(
    `INSERT INTO clients (client_id, site_id, name, audience, source, redirect_uris, scopes)
     VALUES ('client', $1, 'Client', 'member', 'site', '{http://127.0.0.1/}', '{account:read}') RETURNING client_key`,
    [site?.site_id],
  );
  if (site === undefined || person === undefined || member === undefined || client === undefined)
    throw new Error('Nothing was made');
  return { ...site, ...person, ...member, ...client, base_url: `https://${slug}.example` };
}
