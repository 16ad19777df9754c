import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { streamOf } from '@lyceum/contracts';
import { MetricsRegistry } from '@lyceum/platform';
import prom from 'prom-client';
import { MessagingSettings } from '../connection/configuration.js';
import { MissingResources } from '../connection/missing-resources.js';
import { Nats } from '../connection/nats.js';
import { observeStream } from '../connection/observed-stream.js';
import { Outbox } from './outbox.js';
import { publishBroadcasts, publishEvents } from './outbox.publisher.js';
import { OutboxRelay } from './outbox.relay.js';
import { OutboxRepository } from './outbox.repository.js';
import type { Channel, OutboxRow } from './outbox.repository.js';

/** One relay per channel, so that revocations do not wait behind events when JetStream hangs. */
@Injectable()
export class OutboxRelays implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #relays: Record<Channel, OutboxRelay>;
  readonly #repository: OutboxRepository;
  readonly #nats: Nats;
  readonly #published: prom.Counter<'channel'>;

  constructor(
    outbox: Outbox,
    repository: OutboxRepository,
    nats: Nats,
    metrics: MetricsRegistry,
    settings: MessagingSettings,
  ) {
    this.#repository = repository;
    this.#nats = nats;
    const registers = [metrics.registry];
    this.#published = new prom.Counter({
      name: 'outbox_published_total',
      help: 'Messages of the outbox that were published to NATS',
      labelNames: ['channel'],
      registers,
    });
    const make = (channel: Channel, publish: typeof publishEvents): OutboxRelay => {
      this.#published.inc({ channel }, 0);
      const onPublished = (count: number): void => this.#published.inc({ channel }, count);
      return new OutboxRelay({ channel, nats, repository, publish, onPublished });
    };
    const missing = new MissingResources(metrics.registry);
    const stream = streamOf(settings.service) ?? '';
    // Another replica publishes what waited for the stream, and this one has nothing to publish then.
    const observe = async (): Promise<void> => {
      if (stream !== '') await observeStream(nats, missing, stream);
    };
    const publish: typeof publishEvents = async (connection, events) => {
      const published = await publishEvents(connection, events);
      if (published.done.length > 0) missing.present('stream', stream);
      if (published.fault !== undefined) missing.failed('stream', stream, published.fault);
      return published;
    };
    this.#relays = {
      event: make('event', publish),
      bulk: make('bulk', publish),
      broadcast: make('broadcast', publishBroadcasts),
    };
    outbox.onCommit((rows) => {
      const broadcasts = rows.filter(({ channel }) => channel === 'broadcast');
      // Bulk work waits for quiet times, which its relay polls for.
      if (rows.some(({ channel }) => channel === 'event')) this.#relays.event.wake();
      if (broadcasts.length > 0) void this.#publishAtOnce(broadcasts);
    });
    nats.onConnect(() => this.#each((relay) => relay.wake()));
    observeBacklog(repository, registers, observe);
  }

  onApplicationBootstrap(): void {
    this.#each((relay) => relay.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.#relays).map((relay) => relay.stop()));
  }

  /**
   * Publishes a committed broadcast directly, which saves the five round trips of the relay. The row stays until NATS
   * has the message, so the relay covers every failure here.
   */
  async #publishAtOnce(rows: readonly OutboxRow[]): Promise<void> {
    const connection = this.#nats.connection;
    // `onConnect` wakes the relay.
    if (connection === undefined) return;
    try {
      const { done } = await publishBroadcasts(connection, rows);
      await this.#repository.delete(done);
      this.#published.inc({ channel: 'broadcast' }, done.length);
      if (done.length < rows.length) this.#relays.broadcast.wake();
    } catch {
      this.#relays.broadcast.wake();
    }
  }

  #each(act: (relay: OutboxRelay) => void): void {
    for (const relay of Object.values(this.#relays)) act(relay);
  }
}

function observeBacklog(repository: OutboxRepository, registers: prom.Registry[], observe: () => Promise<void>): void {
  const age = new prom.Gauge({
    name: 'outbox_oldest_age_seconds',
    help: 'Age of the oldest message that is not published',
    registers,
  });
  const rows = new prom.Gauge({
    name: 'outbox_messages',
    help: 'Messages that are not published, counted up to 10,000',
    registers,
    async collect() {
      const observed = observe();
      try {
        const backlog = await repository.backlog();
        rows.set(backlog.rows);
        age.set(backlog.age);
      } catch {
        // A scrape must not fail because the database does: the last values stay.
      }
      await observed;
    },
  });
}
