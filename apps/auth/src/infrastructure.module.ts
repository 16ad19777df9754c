import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@lyceum/messaging';
import { DatabaseModule } from '@lyceum/platform';
import { AuthSettings } from './auth.environment.js';
import type { AuthConfiguration } from './auth.environment.js';
import { databaseOptions } from './database/options.js';

/** The providers that features inject without an import: settings, the database and NATS. */
@Global()
@Module({})
export class InfrastructureModule {
  static forRoot(config: AuthConfiguration): DynamicModule {
    return {
      module: InfrastructureModule,
      imports: [
        DatabaseModule.forRoot(databaseOptions(config)),
        MessagingModule.forRoot({ service: 'auth', nats: config, database: true }),
      ],
      providers: [{ provide: AuthSettings, useValue: new AuthSettings(config) }],
      exports: [AuthSettings],
    };
  }
}
