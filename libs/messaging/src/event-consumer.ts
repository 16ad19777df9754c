import { Logger } from '@nestjs/common';
import { consumerName } from '@lyceum/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { ConsumerMessages, JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { Backoff, pause } from './backoff.js';
import { EventBatches } from './event-batches.js';
import { EventDelivery } from './event-delivery.js';
import type { DeliveryParts } from './event-delivery.js';
import { LIMITS } from './limits.js';
import type { Nats } from './nats.js';

interface Parts extends DeliveryParts {
  readonly service: string;
  readonly nats: Nats;
}

/** One durable pull consumer. It reads in order, one batch at a time; its replicas share the work. */
export class EventConsumer {
  readonly name: string;
  readonly #logger: Logger;
  readonly #parts: Parts;
  readonly #delivery: EventDelivery;
  readonly #stop = new AbortController();
  #messages: ConsumerMessages | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.name = consumerName(parts.service, parts.reader.name);
    this.#parts = parts;
    this.#delivery = new EventDelivery(this.name, parts);
    this.#logger = new Logger(`EventConsumer ${this.name}`);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Begins to pull anew: after a reconnect nobody can say what became of what was asked for before. */
  restart(): void {
    void this.#messages?.close();
  }

  /** Takes no more and finishes the batch in hand. */
  async stop(): Promise<void> {
    this.#stop.abort();
    void this.#messages?.close();
    await this.#running;
  }

  /** Events that wait on the server, or undefined when it cannot be asked. */
  async pending(): Promise<number | undefined> {
    const connection = this.#parts.nats.connection;
    if (connection === undefined) return undefined;
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: LIMITS.jetStreamTimeout });
    return (await manager.consumers.info(this.#parts.stream, this.name)).num_pending;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const { ackWaitMs } = this.#parts.delivery;
    const backoff = new Backoff(LIMITS.setupRetry, LIMITS.setupRetryMax);
    const stopped = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    let fault: string | undefined;
    while (!signal.aborted) {
      const connection = await Promise.race([this.#parts.nats.ready(), stopped]);
      if (connection === undefined) return;
      try {
        await this.#parts.applier.ready();
        this.#messages = await this.#open(connection);
        // `stop` came while it was being opened, and found nothing to close. It ends by being read to its end.
        if (signal.aborted) void this.#messages.close();
        fault = undefined;
        backoff.reset();
        for await (const batch of new EventBatches(this.#messages, { size: this.#batchSize, ackWaitMs })) {
          // What was fetched and not begun goes to another replica at once.
          if (signal.aborted) for (const message of batch) message.nak();
          else await this.#delivery.process(batch, signal);
        }
        await pause(LIMITS.restartWait, signal);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        // The owner's stream may not be there yet: said once.
        if (reason !== fault) this.#logger.warn({ msg: 'events cannot be read now; trying again', err: error });
        fault = reason;
        await pause(backoff.next(), signal);
      }
    }
  }

  /** Creates the durable consumer, or updates it when the declaration changed, and begins to pull. */
  async #open(connection: NatsConnection): Promise<ConsumerMessages> {
    const { stream, reader, service, delivery } = this.#parts;
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: LIMITS.jetStreamTimeout });
    const changeable = {
      description: `${reader.name} of ${service}`,
      filter_subjects: reader.events.map((events) => events.filter),
      ack_wait: nanos(delivery.ackWaitMs),
      max_ack_pending: LIMITS.ackPending,
      // Without end: giving an event up silently is the server's only other way. We count, and make a dead letter.
      max_deliver: -1,
    };
    if (await this.#exists(manager)) await manager.consumers.update(stream, this.name, changeable);
    else {
      const fixed = { durable_name: this.name, ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All };
      await manager.consumers.add(stream, { ...fixed, ...changeable });
    }
    const client = jetstream(connection, { timeout: LIMITS.jetStreamTimeout });
    const consumer = await client.consumers.get(stream, this.name);
    return consumer.consume({ max_messages: this.#batchSize, abort_on_missing_resource: true });
  }

  get #batchSize(): number {
    return this.#parts.reader.handleAll === undefined ? LIMITS.batchSteps : LIMITS.batchEvents;
  }

  async #exists(manager: JetStreamManager): Promise<boolean> {
    try {
      await manager.consumers.info(this.#parts.stream, this.name);
      return true;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound) return false;
      throw error;
    }
  }
}
