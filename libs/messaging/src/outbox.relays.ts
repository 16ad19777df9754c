import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { MetricsRegistry } from '@lyceum/platform';
import prom from 'prom-client';
import { Nats } from './nats.js';
import { Outbox } from './outbox.js';
import { publishBroadcasts, publishEvents } from './outbox.publisher.js';
import { OutboxRelay } from './outbox.relay.js';
import { OutboxRepository } from './outbox.repository.js';
import type { Channel } from './outbox.repository.js';

/** A relay for each channel: a revocation does not wait behind events, even when JetStream hangs. */
@Injectable()
export class OutboxRelays implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #relays: Record<Channel, OutboxRelay>;

  constructor(outbox: Outbox, repository: OutboxRepository, nats: Nats, metrics: MetricsRegistry) {
    const registers = [metrics.registry];
    const published = new prom.Counter({
      name: 'outbox_published_total',
      help: 'Messages of the outbox that NATS has taken',
      labelNames: ['channel'],
      registers,
    });
    const make = (channel: Channel, publish: typeof publishEvents): OutboxRelay =>
      new OutboxRelay({
        channel,
        nats,
        repository,
        publish,
        onPublished: (count) => published.inc({ channel }, count),
      });
    this.#relays = { event: make('event', publishEvents), broadcast: make('broadcast', publishBroadcasts) };
    outbox.onCommit((channel) => this.#relays[channel].kick());
    nats.onConnect(() => this.#each((relay) => relay.kick()));
    observeBacklog(repository, registers);
  }

  onApplicationBootstrap(): void {
    this.#each((relay) => relay.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.#relays).map((relay) => relay.stop()));
  }

  #each(act: (relay: OutboxRelay) => void): void {
    for (const relay of Object.values(this.#relays)) act(relay);
  }
}

function observeBacklog(repository: OutboxRepository, registers: prom.Registry[]): void {
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
      try {
        const backlog = await repository.backlog();
        rows.set(backlog.rows);
        age.set(backlog.age);
      } catch {
        // A scrape must not fail because the database does: the last figures stay.
      }
    },
  });
}
