import { Logger } from '@nestjs/common';
import { TOPOLOGY_LIMITS, consumerName } from '@lyceum/contracts';
import { errorMessage } from '@lyceum/platform';
import type { ConsumerMessages } from '@nats-io/jetstream';
import { millis, nanos } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { Backoff, pause } from '../connection/backoff.js';
import { EventBatches } from './event-batches.js';
import { EventDelivery } from './event-delivery.js';
import type { DeliveryParts } from './event-delivery.js';
import { LIMITS } from '../connection/limits.js';
import type { MissingResources } from '../connection/missing-resources.js';
import type { Nats } from '../connection/nats.js';
import { clientOf, managerOf } from '../connection/storage.js';

interface Parts extends DeliveryParts {
  readonly service: string;
  readonly nats: Nats;
  readonly missing: MissingResources;
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

  /** Restarts the pull: after a reconnect the fate of outstanding requests is unknown. */
  restart(): void {
    void this.#messages?.close();
  }

  /** Stops pulling and finishes the current batch. */
  async stop(): Promise<void> {
    this.#stop.abort();
    void this.#messages?.close();
    await this.#running;
  }

  /** Number of events that wait on the server; undefined when the server is unreachable. */
  async pending(): Promise<number | undefined> {
    const connection = this.#parts.nats.connection;
    if (connection === undefined) return undefined;
    const manager = await managerOf(connection, this.#parts.nats.storage);
    return (await manager.consumers.info(this.#parts.stream, this.name)).num_pending;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff(LIMITS.setupRetry, LIMITS.setupRetryMax);
    const stopped = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    let fault: string | undefined;
    while (!signal.aborted) {
      const connection = await Promise.race([this.#parts.nats.ready(), stopped]);
      if (connection === undefined) return;
      try {
        await this.#parts.applier.ready();
        const { messages, ackWaitMs } = await this.#open(connection);
        this.#messages = messages;
        // `stop` ran while the consumer opened and found nothing to close. Closing here ends the iteration.
        if (signal.aborted) void messages.close();
        fault = undefined;
        backoff.reset();
        for await (const batch of new EventBatches(messages, { size: this.#batchSize, ackWaitMs })) {
          // Received messages go to another replica at once. Those on their way to this one wait for `ack_wait`.
          if (signal.aborted) for (const message of batch) message.nak();
          else await this.#delivery.process(batch, signal);
        }
        await pause(LIMITS.restartWait, signal);
      } catch (error) {
        this.#parts.missing.failed('consumer', this.name, error);
        this.#parts.counters.unread(this.name);
        const reason = errorMessage(error);
        // The bootstrap step may not have run yet: logged once per reason.
        if (reason !== fault) this.#logger.warn({ msg: 'events cannot be read now; trying again', err: error });
        fault = reason;
        await pause(backoff.next(), signal);
      }
    }
  }

  /** Starts the pull. Fails until the bootstrap step has created the durable consumer. */
  async #open(connection: NatsConnection): Promise<{ messages: ConsumerMessages; ackWaitMs: number }> {
    const { stream, missing, nats } = this.#parts;
    const consumer = await clientOf(connection, nats.storage).consumers.get(stream, this.name);
    missing.present('consumer', this.name);
    const { config } = await consumer.info(true);
    const messages = await consumer.consume({ max_messages: this.#batchSize, abort_on_missing_resource: true });
    return { messages, ackWaitMs: millis(config.ack_wait ?? nanos(TOPOLOGY_LIMITS.ackWait)) };
  }

  get #batchSize(): number {
    return this.#parts.reader.handleAll === undefined ? LIMITS.batchSteps : LIMITS.batchEvents;
  }
}
