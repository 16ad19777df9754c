import { Global, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationShutdown, Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Responders } from './responders.js';
import { MessagingSettings } from './configuration.js';
import type { MessagingOptions } from './configuration.js';
import { DeadLetterReplay } from './dead-letter-replay.js';
import { DeadLetters } from './dead-letters.js';
import { EventApplier } from './event-applier.js';
import { EventEraser } from './event-eraser.js';
import { EventErasuresRepository } from './event-erasures.repository.js';
import { EventConsumers } from './event-consumers.js';
import { InboxRepository } from './inbox.repository.js';
import { InboxSweeper } from './inbox.sweeper.js';
import { KeyValue } from './key-value.js';
import { MessageEraser } from './message-eraser.js';
import { Nats } from './nats.js';
import { Outbox } from './outbox.js';
import { OutboxRelays } from './outbox.relays.js';
import { OutboxRepository } from './outbox.repository.js';
import { HandlerDiscovery } from './handler-discovery.js';
import { Rebuild } from './rebuild.js';
import { RebuildRepository } from './rebuild.repository.js';
import { Republisher } from './republisher.js';
import { Requests } from './requests.js';
import { SharedValues } from './shared-values.js';
import { SiteEraser } from './site-eraser.js';
import { SiteErasuresRepository } from './site-erasures.repository.js';
import { SiteRowsRepository } from './site-rows.repository.js';

const ALWAYS: Type[] = [Nats, Requests, Responders, KeyValue, SharedValues];
const WITH_DATABASE: Type[] = [
  Outbox,
  OutboxRepository,
  OutboxRelays,
  EventConsumers,
  EventApplier,
  EventEraser,
  EventErasuresRepository,
  InboxRepository,
  InboxSweeper,
  MessageEraser,
  SiteEraser,
  SiteErasuresRepository,
  SiteRowsRepository,
  DeadLetters,
  DeadLetterReplay,
  Rebuild,
  RebuildRepository,
  Republisher,
];

/**
 * NATS for a service. The parts stop taking work before the application shuts down. The connection is drained after the
 * listeners have closed, so running requests can use it until then.
 */
@Global()
@Module({})
export class MessagingModule implements OnApplicationShutdown {
  readonly #nats: Nats;

  constructor(nats: Nats) {
    this.#nats = nats;
  }

  static forRoot(options: MessagingOptions): DynamicModule {
    const settings = new MessagingSettings(options);
    return {
      module: MessagingModule,
      imports: [DiscoveryModule],
      providers: [
        { provide: MessagingSettings, useValue: settings },
        ...ALWAYS,
        ...(settings.database ? WITH_DATABASE : []),
        ...(settings.reads ? [HandlerDiscovery] : []),
      ],
      exports: [
        Nats,
        Requests,
        KeyValue,
        SharedValues,
        MessagingSettings,
        ...(settings.database ? [Outbox, EventConsumers, Rebuild, Republisher, SiteEraser] : []),
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#nats.drain();
  }
}
