import { MessagingModule } from '@lyceum/messaging';
import { DatabaseModule } from '@lyceum/platform';
import { RestModule } from '@lyceum/rest';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { Configuration } from './configuration.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { collections } from './collections.js';
import { databaseOptions } from './database.js';
import { StorageModule } from './files/storage.module.js';
import { WebhookSettingsModule } from './webhook-endpoints/webhook-settings.module.js';

/** The features and their infrastructure without a surface. Subcommands use it too. */
@Module({})
export class SchoolModule {
  static forRoot(config: Configuration): DynamicModule {
    return {
      module: SchoolModule,
      imports: [
        DatabaseModule.forRoot(databaseOptions(config)),
        MessagingModule.forRoot({
          service: 'admin-api',
          nats: config,
          trustedKeys: config.CALL_PUBLIC_KEYS,
          database: true,
        }),
        RestModule.forRoot({ cursorKeys: config.CURSOR_KEY }),
        StorageModule.forRoot(config),
        WebhookSettingsModule.forRoot(config),
        ...collections,
        CatalogModule,
      ],
    };
  }
}
