import { Logger } from '@nestjs/common';
import { consumerName } from '@lyceum/contracts';
import { runInTrace } from '@lyceum/platform';
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { ConsumerMessages, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { Backoff, pause } from './backoff.js';
import type { Delivery, StreamName } from './configuration.js';
import type { DeadLetters } from './dead-letters.js';
import { isOutage } from './event-applier.js';
import type { EventApplier, EventReader } from './event-applier.js';
import { UnreadableEvent } from './event-reader.js';
import { LIMITS } from './limits.js';
import { readTrace } from './message-headers.js';
import type { Nats } from './nats.js';

export interface ConsumerCounters {
  processed(consumer: string, result: 'applied' | 'repeated' | 'failed' | 'dead'): void;
  redelivered(consumer: string): void;
}

interface Parts {
  readonly service: string;
  readonly stream: StreamName;
  readonly reader: EventReader;
  readonly nats: Nats;
  readonly applier: EventApplier;
  readonly deadLetters: DeadLetters;
  readonly counters: ConsumerCounters;
  readonly delivery: Delivery;
}

/** One durable pull consumer. It reads in order, one event at a time; its replicas share the work. */
export class EventConsumer {
  readonly name: string;
  readonly #logger: Logger;
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  #messages: ConsumerMessages | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.name = consumerName(parts.service, parts.reader.name);
    this.#parts = parts;
    this.#logger = new Logger(`EventConsumer ${this.name}`);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Takes no more and finishes the event in hand. */
  async stop(): Promise<void> {
    this.#stop.abort();
    void this.#messages?.close();
    await this.#running;
  }

  /** Events that wait on the server, or undefined when it cannot be asked. */
  async lag(): Promise<number | undefined> {
    const connection = this.#parts.nats.connection;
    if (connection === undefined) return undefined;
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: LIMITS.jetStreamTimeout });
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
        this.#messages = await this.#open(connection);
        fault = undefined;
        backoff.reset();
        for await (const message of this.#messages) {
          // What was fetched and not begun goes to another replica at once.
          if (signal.aborted) message.nak();
          else await this.#process(message);
        }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        // The owner's stream may not be there yet: said once.
        if (reason !== fault) this.#logger.warn({ msg: 'events cannot be read now; trying again', err: error });
        fault = reason;
      }
      await pause(backoff.next(), signal);
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
    return consumer.consume({ max_messages: LIMITS.consumerBatch, abort_on_missing_resource: true });
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

  #process(message: JsMsg): Promise<void> {
    if (message.redelivered) this.#parts.counters.redelivered(this.name);
    return runInTrace(readTrace(message.headers), `consume ${message.subject}`, () => this.#apply(message));
  }

  async #apply(message: JsMsg): Promise<void> {
    const { applier, reader, counters } = this.#parts;
    const backoff = new Backoff(LIMITS.outageWait, LIMITS.outageWaitMax);
    for (;;) {
      try {
        const applied = await applier.apply(this.name, reader, message.subject, message.string());
        message.ack();
        counters.processed(this.name, applied ? 'applied' : 'repeated');
        return;
      } catch (error) {
        if (!isOutage(error)) return this.#failed(message, error);
        this.#logger.warn({ msg: 'the database is away; the event waits', err: error });
        await pause(backoff.next(), this.#stop.signal);
        if (this.#stop.signal.aborted) return;
        message.working();
      }
    }
  }

  async #failed(message: JsMsg, error: unknown): Promise<void> {
    const { delivery, counters } = this.#parts;
    const { deliveryCount } = message.info;
    const delay = error instanceof UnreadableEvent ? undefined : delivery.retryDelaysMs[deliveryCount - 1];
    if (delay !== undefined) {
      this.#logger.warn({ msg: `an event failed; again in ${delay} ms`, subject: message.subject, err: error });
      counters.processed(this.name, 'failed');
      message.nak(delay);
      return;
    }
    try {
      await this.#bury(message, error);
      counters.processed(this.name, 'dead');
      message.term('moved to the dead letters');
    } catch (cause) {
      this.#logger.error({ msg: 'a dead letter could not be stored; the event will come again', err: cause });
      message.nak(LIMITS.setupRetryMax);
    }
  }

  async #bury(message: JsMsg, error: unknown): Promise<void> {
    const eventId = message.headers?.get('Nats-Msg-Id');
    await this.#parts.deadLetters.put({
      reader: this.#parts.reader.name,
      subject: message.subject,
      body: message.data,
      eventId: eventId === undefined || eventId === '' ? undefined : eventId,
      key: `${this.#parts.stream}:${message.seq}`,
      deliveries: message.info.deliveryCount,
      error,
    });
    this.#logger.error({ msg: 'an event became a dead letter', subject: message.subject, event: eventId, err: error });
  }
}
