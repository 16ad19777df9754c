import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ActivityRetention } from './activity.retention.js';
import { ActivitySettings } from './activity.settings.js';

/** Runs in the service only: subcommands maintain no partitions. */
@Module({})
export class ActivityRetentionModule {
  static forRoot(config: { readonly ACTIVITY_LOG_DAYS: number }): DynamicModule {
    return {
      module: ActivityRetentionModule,
      providers: [
        { provide: ActivitySettings, useValue: new ActivitySettings(config.ACTIVITY_LOG_DAYS) },
        ActivityRetention,
      ],
    };
  }
}
