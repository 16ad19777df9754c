import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { NotificationsModule } from '#src/notifications/notifications.module.js';
import { RemindersModule } from '#src/reminders/reminders.module.js';
import { Retention, RetentionWorker } from './retention.worker.js';

@Module({})
export class RetentionModule {
  /** `mails`: the configured module. */
  static forRoot(mails: DynamicModule, days: number): DynamicModule {
    return {
      module: RetentionModule,
      imports: [NotificationsModule, FanOutsModule, RemindersModule, mails],
      providers: [{ provide: Retention, useValue: new Retention(days) }, RetentionWorker],
    };
  }
}
