import { Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { BearerAuthenticator } from './bearer.authenticator.js';
import { ResourceServerOptions } from './configuration.js';
import { IntrospectionClient } from './introspection.client.js';
import { Revocations } from './revocations.js';
import { SiteDirectory } from './site-directory.js';
import { TokenEnds } from './token-ends.js';
import { TokenVerifier } from './token-verifier.js';
import { VerifierMetrics } from './verifier.metrics.js';

/** Provides the dependencies of `useResourceServer(app)`. */
@Module({})
export class ResourceServerModule implements OnApplicationBootstrap {
  static forRoot(options: ConstructorParameters<typeof ResourceServerOptions>[0]): DynamicModule {
    return {
      module: ResourceServerModule,
      global: true,
      providers: [
        { provide: ResourceServerOptions, useValue: new ResourceServerOptions(options) },
        SiteDirectory,
        Revocations,
        VerifierMetrics,
        IntrospectionClient,
        TokenEnds,
        TokenVerifier,
        BearerAuthenticator,
      ],
      exports: [SiteDirectory, TokenEnds, TokenVerifier, BearerAuthenticator],
    };
  }

  constructor(private readonly host: HttpAdapterHost) {}

  /** Prevents the start of a service whose routes are not guarded. */
  onApplicationBootstrap(): void {
    // A subcommand has no server.
    const adapter = this.host.httpAdapter as AbstractHttpAdapter | undefined;
    if (adapter?.getInstance<FastifyInstance>().hasRequestDecorator('site') === false) {
      throw new Error('The routes are not guarded: call useResourceServer(app)');
    }
  }
}
