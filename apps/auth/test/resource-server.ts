import type { Role } from '@lyceum/contracts';
import { PlatformModule, createPlatform } from '@lyceum/platform';
import { MessagingModule } from '@lyceum/messaging';
import { ResourceServerModule, TokenVerifier } from '@lyceum/resource-server';
import type { TokenIntrospection } from '@lyceum/resource-server';
import type { TestNats } from '@lyceum/testing';
import { NestFactory } from '@nestjs/core';
import { RESOURCE_SERVER } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';

/**
 * A resource server beside the service under test: it introspects over HTTP, caches results, and receives revocations
 * over NATS. Its results do not expire while a test waits, so only a broadcast ends them.
 */
export interface TestResourceServer {
  tokenState(token: string, site: TestSite): Promise<TokenIntrospection['kind']>;
  /** The roles of an active token. */
  roles(token: string, site: TestSite): Promise<readonly Role[] | undefined>;
  stop(): Promise<void>;
}

export async function startResourceServer(auth: TestAuth, nats: TestNats): Promise<TestResourceServer> {
  class TestModule {}
  const introspection = {
    INTROSPECTION_URL: `${auth.url}/api/oauth/introspect`,
    INTROSPECTION_CLIENT_ID: RESOURCE_SERVER.client_id,
    INTROSPECTION_CLIENT_SECRET: RESOURCE_SERVER.client_secret,
    INTROSPECTION_BUDGET_MS: 10_000,
  };
  const context = await NestFactory.createApplicationContext(
    {
      module: TestModule,
      imports: [
        PlatformModule.forRoot(createPlatform('member-api')),
        MessagingModule.forRoot({ service: 'member-api', nats: nats.environment('member-api') }),
        ResourceServerModule.forRoot({ introspection, metadataPath: '', activeLifetime: 600_000 }),
      ],
    },
    { logger: false, abortOnError: false },
  );
  const verifier = context.get(TokenVerifier);
  return {
    tokenState: async (token, site) => (await verifier.verify(token, site)).kind,
    roles: async (token, site) => {
      const result = await verifier.verify(token, site);
      return result.kind === 'active' ? result.principal.roles : undefined;
    },
    stop: () => context.close(),
  };
}
