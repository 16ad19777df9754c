import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { BearerAuthenticator } from './bearer.authenticator.js';
import { BearerGuard } from './bearer.guard.js';
import { ResourceServerOptions } from './configuration.js';
import { EndpointWalk } from './endpoints.js';
import { IntrospectionClient } from './introspection.client.js';
import { Revocations } from './revocations.js';
import { SiteDirectory } from './site-directory.js';
import { TokenVerifier } from './token-verifier.js';
import { VerifierMetrics } from './verifier.metrics.js';

@Module({})
export class ResourceServerModule {
  static forRoot(options: ConstructorParameters<typeof ResourceServerOptions>[0]): DynamicModule {
    return {
      module: ResourceServerModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        { provide: ResourceServerOptions, useValue: new ResourceServerOptions(options) },
        SiteDirectory,
        Revocations,
        VerifierMetrics,
        IntrospectionClient,
        TokenVerifier,
        BearerAuthenticator,
        BearerGuard,
        EndpointWalk,
        { provide: APP_GUARD, useExisting: BearerGuard },
      ],
      exports: [SiteDirectory, TokenVerifier, BearerAuthenticator],
    };
  }
}
