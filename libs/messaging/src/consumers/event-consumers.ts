import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { eventsOf } from '@lyceum/contracts';
import type { EntityEvents } from '@lyceum/contracts';
import { MetricsRegistry, RunsInBackground } from '@lyceum/platform';
import prom from 'prom-client';
import { MessagingSettings } from '../connection/configuration.js';
import type { StreamName } from '../connection/configuration.js';
import { DeadLetters } from './dead-letters.js';
import { EventApplier } from './event-applier.js';
import type { EventHandler } from './event-applier.js';
import { EventConsumer } from './event-consumer.js';
import { RESULTS } from './event-delivery.js';
import type { ConsumerCounters } from './event-delivery.js';
import { MissingResources } from '../connection/missing-resources.js';
import { Nats } from '../connection/nats.js';

export type ConsumerDeclaration<E extends readonly EntityEvents[]> = EventHandler<E> & { readonly stream: StreamName };

/** Consumers of other contexts' events. They start after the application, as soon as NATS is connected. */
@RunsInBackground()
@Injectable()
export class EventConsumers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #nats: Nats;
  readonly #applier: EventApplier;
  readonly #deadLetters: DeadLetters;
  readonly #settings: MessagingSettings;
  readonly #counters: ReturnType<typeof makeCounters>;
  readonly #missing: MissingResources;
  readonly #readers = new Map<string, EventHandler>();
  readonly #consumers: EventConsumer[] = [];
  #open = false;

  constructor(
    nats: Nats,
    applier: EventApplier,
    deadLetters: DeadLetters,
    settings: MessagingSettings,
    metrics: MetricsRegistry,
  ) {
    this.#nats = nats;
    this.#applier = applier;
    this.#deadLetters = deadLetters;
    this.#settings = settings;
    this.#missing = new MissingResources(metrics.registry);
    this.#counters = makeCounters(metrics.registry, this.#consumers);
    nats.onConnect(() => {
      for (const consumer of this.#consumers) consumer.restart();
    });
  }

  register<const E extends readonly EntityEvents[]>(declaration: ConsumerDeclaration<E>): void {
    const { name, stream, events } = declaration;
    if (this.#readers.has(name)) throw new Error(`The consumer "${name}" already exists`);
    const declared = eventsOf(this.#settings.service, stream, name);
    if (declared === undefined || declared.length !== events.length || !declared.every((one) => events.includes(one))) {
      throw new Error(
        `"${name}" on ${stream}, with its events, is not among the readers in libs/contracts/src/topology/duties.ts`,
      );
    }
    // The handler receives only events that were parsed with its own schemas.
    const reader = declaration as unknown as EventHandler;
    this.#readers.set(name, reader);
    const consumer = new EventConsumer({
      service: this.#settings.service,
      delivery: this.#settings.delivery,
      missing: this.#missing,
      stream,
      reader,
      nats: this.#nats,
      applier: this.#applier,
      deadLetters: this.#deadLetters,
      counters: this.#counters,
    });
    this.#consumers.push(consumer);
    this.#counters.declared(consumer.name);
    if (this.#open) consumer.start();
  }

  /** The declared consumer of that name. */
  reader(name: string): EventHandler | undefined {
    return this.#readers.get(name);
  }

  onApplicationBootstrap(): void {
    this.#open = true;
    for (const consumer of this.#consumers) consumer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#open = false;
    await Promise.all(this.#consumers.map((consumer) => consumer.stop()));
  }
}

function makeCounters(
  registry: prom.Registry,
  consumers: readonly EventConsumer[],
): ConsumerCounters & { declared(consumer: string): void } {
  const registers = [registry];
  const processed = new prom.Counter({
    name: 'events_processed_total',
    help: 'Deliveries of events, by result',
    labelNames: ['consumer', 'result'],
    registers,
  });
  const unread = new prom.Counter({
    name: 'events_read_failures_total',
    help: 'Failed attempts to read events',
    labelNames: ['consumer'],
    registers,
  });
  const redelivered = new prom.Counter({
    name: 'events_redelivered_total',
    help: 'Events that were delivered more than once',
    labelNames: ['consumer'],
    registers,
  });
  const lag = new prom.Gauge({
    name: 'events_lag_seconds',
    help: 'Age of the last applied event, since its arrival in the stream',
    labelNames: ['consumer'],
    registers,
  });
  const pending = new prom.Gauge({
    name: 'events_pending',
    help: 'Events that wait for the consumer on the server',
    labelNames: ['consumer'],
    registers,
    async collect() {
      await Promise.all(
        consumers.map(async (consumer) => {
          // A scrape must not fail because NATS does: the last value stays.
          const waiting = await consumer.pending().catch(() => undefined);
          if (waiting !== undefined) pending.set({ consumer: consumer.name }, waiting);
        }),
      );
    },
  });
  return {
    // A rate that begins with the first failure would miss it.
    declared: (consumer) => {
      for (const result of RESULTS) processed.inc({ consumer, result }, 0);
      unread.inc({ consumer }, 0);
      redelivered.inc({ consumer }, 0);
    },
    unread: (consumer) => unread.inc({ consumer }),
    processed: (consumer, result) => processed.inc({ consumer, result }),
    redelivered: (consumer) => redelivered.inc({ consumer }),
    lag: (consumer, seconds) => lag.set({ consumer }, seconds),
  };
}
