import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { ChangeConsumer } from './change.consumer.js';
import { ChangeRecorder } from './change.recorder.js';
import { ChangeRepository } from './change.repository.js';
import { ChangeRetention } from './change.retention.js';

/** Runs in the service only: subcommands consume no events and maintain no partitions. */
@Module({})
export class ChangeFeedModule {
  /** @param subscriber module that exports `PublicEventSubscriber` */
  static with(subscriber: Type): DynamicModule {
    return {
      module: ChangeFeedModule,
      imports: [subscriber],
      providers: [ChangeConsumer, ChangeRecorder, ChangeRepository, ChangeRetention],
    };
  }
}
