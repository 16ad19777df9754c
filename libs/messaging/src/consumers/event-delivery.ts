import { Logger } from '@nestjs/common';
import { errorMessage } from '@lyceum/platform';
import type { JsMsg } from '@nats-io/jetstream';
import { Backoff, pause } from '../connection/backoff.js';
import type { Delivery, StreamName } from '../connection/configuration.js';
import type { DeadLetters } from './dead-letters.js';
import { isOutage } from './event-applier.js';
import type { EventApplier, EventHandler, TracedEvent } from './event-applier.js';
import { UnreadableEvent, readEvent } from './event-handler.js';
import { LIMITS } from '../connection/limits.js';
import { readTrace } from '../connection/message-headers.js';

export const RESULTS = ['applied', 'repeated', 'failed', 'dead', 'unstored'] as const;

export interface ConsumerCounters {
  /** An attempt to read events failed. */
  unread(consumer: string): void;
  processed(consumer: string, result: (typeof RESULTS)[number]): void;
  redelivered(consumer: string): void;
  /** Seconds from the arrival of the event in the stream to its application. */
  lag(consumer: string, seconds: number): void;
}

export interface DeliveryParts {
  readonly stream: StreamName;
  readonly reader: EventHandler;
  readonly applier: EventApplier;
  readonly deadLetters: DeadLetters;
  readonly counters: ConsumerCounters;
  readonly delivery: Delivery;
}

interface Delivered extends TracedEvent {
  readonly message: JsMsg;
}

/** Settles deliveries: applied, retried later, or stored as dead letters. */
export class EventDelivery {
  readonly #consumer: string;
  readonly #parts: DeliveryParts;
  readonly #logger: Logger;
  #quarantined = false;

  constructor(consumer: string, parts: DeliveryParts) {
    this.#consumer = consumer;
    this.#parts = parts;
    this.#logger = new Logger(`EventDelivery ${consumer}`);
  }

  /** Processes the messages in order, in as few transactions as possible. Each is settled when it resolves. */
  async process(messages: readonly JsMsg[], stopping: AbortSignal): Promise<void> {
    let together: Delivered[] = [];
    for (const message of messages) {
      if (message.redelivered) this.#parts.counters.redelivered(this.#consumer);
      const delivered = await this.#read(message);
      if (delivered === undefined) continue;
      if (message.info.deliveryCount <= LIMITS.deliveriesTogether) {
        together.push(delivered);
        continue;
      }
      await this.#apply(together, stopping);
      together = [];
      await this.#apply([delivered], stopping);
    }
    await this.#apply(together, stopping);
  }

  /** Undefined for a message that is settled already. */
  async #read(message: JsMsg): Promise<Delivered | undefined> {
    const { deliveryCount } = message.info;
    // Failures are counted out far earlier, so this event never completed and may be what kills the process. One per
    // process is enough: those that were delivered with it have the same count.
    if (deliveryCount > LIMITS.unfinishedDeliveries && !this.#quarantined) {
      this.#quarantined = true;
      await this.#deadLetter(message, new Error(`delivered ${deliveryCount} times and never finished`));
      return undefined;
    }
    try {
      const event = readEvent(this.#parts.reader.events, message.subject, message.string());
      return { message, event, trace: readTrace(message.headers) };
    } catch (error) {
      await this.#failed(message, error);
      return undefined;
    }
  }

  /**
   * Applies all events in one transaction. On a failure each half is retried, so a failing event is found in a few
   * steps.
   */
  async #apply(batch: readonly Delivered[], stopping: AbortSignal): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    const backoff = new Backoff(LIMITS.outageWait, LIMITS.outageWaitMax);
    let applied: ReadonlySet<Delivered> | undefined;
    let warned = false;
    while (applied === undefined) {
      try {
        applied = await this.#parts.applier.applyAll(this.#consumer, this.#parts.reader, batch);
      } catch (error) {
        if (isOutage(error)) {
          if (!warned)
            this.#logger.warn({ msg: 'the database is unavailable; events are delayed', reason: errorMessage(error) });
          warned = true;
          await pause(backoff.next(), stopping);
          if (stopping.aborted) {
            for (const { message } of batch) message.nak();
            return;
          }
        } else if (batch.length === 1) return this.#failed(first.message, error);
        else {
          const half = Math.ceil(batch.length / 2);
          await this.#apply(batch.slice(0, half), stopping);
          return this.#apply(batch.slice(half), stopping);
        }
      }
    }
    for (const delivered of batch) this.#applied(delivered.message, applied.has(delivered));
  }

  #applied(message: JsMsg, isNew: boolean): void {
    const { counters } = this.#parts;
    message.ack();
    counters.processed(this.#consumer, isNew ? 'applied' : 'repeated');
    if (isNew) counters.lag(this.#consumer, Math.max(0, Date.now() - message.time.getTime()) / 1000);
  }

  async #failed(message: JsMsg, error: unknown): Promise<void> {
    const { delivery, counters } = this.#parts;
    const retry = delivery.retryDelaysMs[message.info.deliveryCount - 1];
    if (error instanceof UnreadableEvent || retry === undefined) return this.#deadLetter(message, error);
    this.#logger.warn({ msg: `an event failed; again in ${retry} ms`, subject: message.subject, err: error });
    counters.processed(this.#consumer, 'failed');
    message.nak(retry);
  }

  /** Discards the message only after the dead letter is stored. */
  async #deadLetter(message: JsMsg, error: unknown): Promise<void> {
    const { deadLetters, reader, stream, counters } = this.#parts;
    const eventId = message.headers?.get('Nats-Msg-Id');
    try {
      await deadLetters.put({
        reader: reader.name,
        subject: message.subject,
        body: message.data,
        eventId: eventId === '' ? undefined : eventId,
        key: `${stream}:${message.seq}`,
        deliveries: message.info.deliveryCount,
        error,
      });
    } catch (cause) {
      this.#logger.error({ msg: 'a dead letter could not be stored; the event will come again', err: cause });
      counters.processed(this.#consumer, 'unstored');
      message.nak(LIMITS.setupRetryMax);
      return;
    }
    message.term('moved to the dead letters');
    counters.processed(this.#consumer, 'dead');
    this.#logger.error({ msg: 'an event became a dead letter', subject: message.subject, event: eventId, err: error });
  }
}
