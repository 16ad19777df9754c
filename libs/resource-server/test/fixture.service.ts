import { Controller, Get, Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { REVOCATION_SUBJECT, SITES_BUCKET } from '@lyceum/contracts';
import type { Revocation, Scope, Site } from '@lyceum/contracts';
import { KeyValue, MessagingModule, Nats, natsEnvironment } from '@lyceum/messaging';
import { readConfiguration, serviceEnvironment, startService, uuidv7 } from '@lyceum/platform';
import type { RunningService } from '@lyceum/platform';
import { z } from 'zod';
import {
  CurrentSite,
  Open,
  ResourceServerModule,
  introspectionEnvironment,
  principalOf,
  siteOf,
  useResourceServer,
} from '../src/index.js';

type NatsSettings = Record<'NATS_URL' | 'NATS_USER' | 'NATS_PASSWORD', string>;

const LOCAL = {
  HOST: '127.0.0.1',
  PORT: '0',
  MANAGEMENT_PORT: '0',
  LOG_LEVEL: 'silent',
  SHUTDOWN_DELAY_MS: '0',
  SHUTDOWN_TIMEOUT_MS: '2000',
};

@Controller()
export class OpenController {
  @Get('open')
  @Open()
  open(@CurrentSite() site: Site) {
    return { site: site.name };
  }
}

/** Routes that require access, of a resource server. */
function serveAccount(app: NestFastifyApplication): void {
  useResourceServer(app);
  const requires = (...scopes: Scope[]) => ({ config: { access: { scopes, audience: 'member' as const } } });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get('/account', requires('account:read'), (request) => {
    const { person_id, token_fingerprint } = principalOf(request);
    return { person_id, fingerprint: token_fingerprint, site: siteOf(request).name };
  });
  fastify.post('/account', requires('account:read', 'account:write'), () => ({ written: true }));
}

const environment = z.object({ ...serviceEnvironment, ...natsEnvironment, ...introspectionEnvironment });

/** A service with the resource server, over HTTP. */
export function startFixture(
  nats: NatsSettings,
  introspectionUrl: string,
  options: {
    controllers?: Type[];
    trustedProxies?: string;
    introspectionBudget?: string;
    /** By default `/account` is served. */
    configure?: (app: NestFastifyApplication) => void;
  } = {},
): Promise<RunningService> {
  @Module({})
  class FixtureModule {}
  const config = readConfiguration(environment, {
    ...LOCAL,
    ...nats,
    TRUSTED_PROXIES: options.trustedProxies ?? '127.0.0.0/8',
    INTROSPECTION_URL: introspectionUrl,
    INTROSPECTION_CLIENT_ID: 'member-api',
    INTROSPECTION_CLIENT_SECRET: 's e&cret',
    INTROSPECTION_BUDGET_MS: options.introspectionBudget ?? '10000',
  });
  return startService(
    {
      name: 'member-api',
      environment,
      bodyLimit: 1024,
      configure: options.configure ?? serveAccount,
      module: (settings): DynamicModule => ({
        module: FixtureModule,
        controllers: [OpenController, ...(options.controllers ?? [])],
        imports: [
          MessagingModule.forRoot({ service: 'member-api', nats: settings }),
          ResourceServerModule.forRoot({ introspection: settings, metadataPath: '' }),
        ],
      }),
    },
    config,
  );
}

/** Fakes auth's messages: the site directory and the broadcasts. */
export class FakeAuth {
  private constructor(private readonly service: RunningService) {}

  static async start(nats: NatsSettings): Promise<FakeAuth> {
    @Module({})
    class AuthModule {}
    const schema = z.object({ ...serviceEnvironment, ...natsEnvironment });
    const service = await startService(
      {
        name: 'auth',
        environment: schema,
        bodyLimit: 1024,
        module: (config): DynamicModule => ({
          module: AuthModule,
          imports: [MessagingModule.forRoot({ service: 'auth', nats: config })],
        }),
      },
      readConfiguration(schema, { ...LOCAL, ...nats }),
    );
    return new FakeAuth(service);
  }

  async putSite(site: Site): Promise<void> {
    await this.service.app.get(KeyValue).put(SITES_BUCKET, site.site_id, site);
  }

  async removeSite(site: Site): Promise<void> {
    await this.service.app.get(KeyValue).delete(SITES_BUCKET, site.site_id);
  }

  /** Resolves when the server has the message. */
  async broadcast(payload: unknown, options: { readonly reply?: string } = {}): Promise<void> {
    const connection = await this.service.app.get(Nats).ready();
    connection.publish(REVOCATION_SUBJECT, typeof payload === 'string' ? payload : JSON.stringify(payload), options);
    await connection.flush();
  }

  async revoke(revocation: Pick<Revocation, 'kind' | 'subject'> & { site_id?: string }): Promise<void> {
    const message = { id: uuidv7(), site_id: null, occurred_at: new Date().toISOString(), ...revocation };
    await this.broadcast(message satisfies Revocation);
  }

  close(): Promise<void> {
    return this.service.close();
  }
}

/** A round trip of the service's own connection: earlier messages of the server have arrived then. */
export async function settled(service: RunningService): Promise<void> {
  const connection = await service.app.get(Nats).ready();
  await connection.flush();
}

export function siteFixture(n: number, host: string, change: Partial<Site> = {}): Site {
  return {
    site_id: `0190a0b0-0000-7000-8000-00000000000${n}`,
    base_url: `https://${host}`,
    host,
    name: `Site ${n}`,
    slug: `site-${n}`,
    org_id: `org_${n}`,
    state: 'active',
    ...change,
  };
}
