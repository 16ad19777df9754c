import { Global, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationShutdown, Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Responders } from '../requests/responders.js';
import { MessagingSettings } from '../connection/configuration.js';
import type { MessagingOptions } from '../connection/configuration.js';
import { DeadLetterReplay } from '../consumers/dead-letter-replay.js';
import { DeadLetters } from '../consumers/dead-letters.js';
import { EventApplier } from '../consumers/event-applier.js';
import { EventEraser } from '../outbox/event-eraser.js';
import { EventErasuresRepository } from '../outbox/event-erasures.repository.js';
import { EventConsumers } from '../consumers/event-consumers.js';
import { InboxRepository } from '../consumers/inbox.repository.js';
import { InboxSweeper } from '../consumers/inbox.sweeper.js';
import { KeyValue } from '../key-value/key-value.js';
import { MessageEraser } from '../outbox/message-eraser.js';
import { Nats } from '../connection/nats.js';
import { Outbox } from '../outbox/outbox.js';
import { OutboxRelays } from '../outbox/outbox.relays.js';
import { OutboxRepository } from '../outbox/outbox.repository.js';
import { HandlerDiscovery } from '../consumers/handler-discovery.js';
import { Rebuild } from '../read-models/rebuild.js';
import { RebuildRepository } from '../read-models/rebuild.repository.js';
import { Republisher } from '../outbox/republisher.js';
import { Requests } from '../requests/requests.js';
import { SharedValues } from '../key-value/shared-values.js';
import { SiteEraser } from '../outbox/site-eraser.js';
import { SiteErasuresRepository } from '../outbox/site-erasures.repository.js';
import { SiteRowsRepository } from '../site-data/site-rows.repository.js';

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
