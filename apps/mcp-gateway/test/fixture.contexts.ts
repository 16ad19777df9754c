import { generateKeyPairSync } from 'node:crypto';
import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { REVOCATION_SUBJECT, SITES_BUCKET, describePerson } from '@lyceum/contracts';
import type { Role, Site } from '@lyceum/contracts';
import { KeyValue, MessagingModule, Nats, Requests, natsEnvironment } from '@lyceum/messaging';
import { readConfiguration, serviceEnvironment, startService } from '@lyceum/platform';
import type { RunningService } from '@lyceum/platform';
import { ToolNames, ToolsModule } from '@lyceum/tools';
import { z } from 'zod';

export type NatsSettings = Record<'NATS_URL' | 'NATS_USER' | 'NATS_PASSWORD', string>;

/** The gateway signs with the private key, the other services trust the public one. */
export const CALL_KEYS = generateKeyPairSync('ed25519');

export const LOCAL = {
  HOST: '127.0.0.1',
  PORT: '0',
  MANAGEMENT_PORT: '0',
  LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
  SHUTDOWN_DELAY_MS: '0',
  SHUTDOWN_TIMEOUT_MS: '2000',
  TRUSTED_PROXIES: '127.0.0.0/8',
};

const environment = z.object({ ...serviceEnvironment, ...natsEnvironment });

function startContext(
  name: string,
  nats: NatsSettings,
  imports: DynamicModule[],
  providers: Type[],
): Promise<RunningService> {
  @Module({})
  class ContextModule {}
  return startService(
    {
      name,
      environment,
      bodyLimit: 1024,
      module: (config): DynamicModule => ({
        module: ContextModule,
        providers,
        imports: [
          MessagingModule.forRoot({ service: name, nats: config, trustedKeys: [CALL_KEYS.publicKey] }),
          ...imports,
        ],
      }),
    },
    readConfiguration(environment, { ...LOCAL, ...nats }),
  );
}

/**
 * Another service with tools, over NATS with the permissions of production. Its tools may have any names, such as those
 * of the conformance suite.
 */
export function startTools(
  name: string,
  nats: NatsSettings,
  providers: Type[],
  leaseMs?: number,
): Promise<RunningService> {
  const options = { service: name, ...(leaseMs === undefined ? {} : { leaseMs }) };
  const tools = ToolsModule.forRoot(options);
  const anyName = { provide: ToolNames, useValue: { check: () => undefined } };
  return startContext(name, nats, [{ ...tools, providers: [...(tools.providers ?? []), anyName] }], providers);
}

/** Fakes auth's part beside introspection. */
export class FakeAuth {
  roles: Role[] = ['owner', 'student'];

  private constructor(private readonly service: RunningService) {
    service.app
      .get(Requests)
      .handle(describePerson, () =>
        Promise.resolve({ name: 'Mei Lin', email: 'mei@one.example', picture: null, roles: this.roles }),
      );
  }

  static async start(nats: NatsSettings, sites: readonly Site[]): Promise<FakeAuth> {
    const auth = new FakeAuth(await startContext('auth', nats, [], []));
    for (const site of sites) await auth.putSite(site);
    return auth;
  }

  async putSite(site: Site): Promise<void> {
    await this.service.app.get(KeyValue).put(SITES_BUCKET, site.site_id, site);
  }

  async revokeGrant(grant: string): Promise<void> {
    const connection = await this.service.app.get(Nats).ready();
    const message = {
      id: crypto.randomUUID(),
      kind: 'grant',
      subject: grant,
      site_id: null,
      occurred_at: new Date().toISOString(),
    };
    connection.publish(REVOCATION_SUBJECT, JSON.stringify(message));
    await connection.flush();
  }

  close(): Promise<void> {
    return this.service.close();
  }
}
