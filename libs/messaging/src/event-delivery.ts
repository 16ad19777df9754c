import { Logger } from '@nestjs/common';
import { runInTrace } from '@lyceum/platform';
import type { JsMsg } from '@nats-io/jetstream';
import { Backoff, pause } from './backoff.js';
import type { Delivery, StreamName } from './configuration.js';
import type { DeadLetters } from './dead-letters.js';
import { isOutage } from './event-applier.js';
import type { EventApplier, EventReader } from './event-applier.js';
import { UnreadableEvent } from './event-reader.js';
import { LIMITS } from './limits.js';
import { readTrace } from './message-headers.js';

export interface ConsumerCounters {
  processed(consumer: string, result: 'applied' | 'repeated' | 'failed' | 'dead'): void;
  redelivered(consumer: string): void;
  /** Seconds from when the stream had the event to when it was applied. */
  lag(consumer: string, seconds: number): void;
}

export interface DeliveryParts {
  readonly stream: StreamName;
  readonly reader: EventReader;
  readonly applier: EventApplier;
  readonly deadLetters: DeadLetters;
  readonly counters: ConsumerCounters;
  readonly delivery: Delivery;
}

/** What happens to one delivery: applied, tried again later, or moved to the dead letters. */
export class EventDelivery {
  readonly #consumer: string;
  readonly #parts: DeliveryParts;
  readonly #logger: Logger;

  constructor(consumer: string, parts: DeliveryParts) {
    this.#consumer = consumer;
    this.#parts = parts;
    this.#logger = new Logger(`EventDelivery ${consumer}`);
  }

  async process(message: JsMsg, stopping: AbortSignal): Promise<void> {
    if (message.redelivered) this.#parts.counters.redelivered(this.#consumer);
    // Failures are counted out far earlier: this one never came to an end, so it may be what kills the process.
    if (message.info.deliveryCount > LIMITS.unfinishedDeliveries) {
      return this.#bury(message, new Error(`delivered ${message.info.deliveryCount} times and never finished`));
    }
    await runInTrace(readTrace(message.headers), `consume ${message.subject}`, () => this.#apply(message, stopping));
  }

  async #apply(message: JsMsg, stopping: AbortSignal): Promise<void> {
    const { applier, reader, counters } = this.#parts;
    const backoff = new Backoff(LIMITS.outageWait, LIMITS.outageWaitMax);
    for (;;) {
      try {
        const applied = await applier.apply(this.#consumer, reader, message.subject, message.string());
        message.ack();
        counters.processed(this.#consumer, applied ? 'applied' : 'repeated');
        if (applied) counters.lag(this.#consumer, Math.max(0, Date.now() - message.time.getTime()) / 1000);
        return;
      } catch (error) {
        if (!isOutage(error)) return this.#failed(message, error);
        this.#logger.warn({ msg: 'the database is away; the event waits', err: error });
        await pause(backoff.next(), stopping);
        if (stopping.aborted) return message.nak();
        // Keeps it ours: waiting must not count as deliveries.
        message.working();
      }
    }
  }

  async #failed(message: JsMsg, error: unknown): Promise<void> {
    const { delivery, counters } = this.#parts;
    const retry = delivery.retryDelaysMs[message.info.deliveryCount - 1];
    if (error instanceof UnreadableEvent || retry === undefined) return this.#bury(message, error);
    this.#logger.warn({ msg: `an event failed; again in ${retry} ms`, subject: message.subject, err: error });
    counters.processed(this.#consumer, 'failed');
    message.nak(retry);
  }

  /** The message is given up only when the dead letters have it. */
  async #bury(message: JsMsg, error: unknown): Promise<void> {
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
      message.nak(LIMITS.setupRetryMax);
      return;
    }
    message.term('moved to the dead letters');
    counters.processed(this.#consumer, 'dead');
    this.#logger.error({ msg: 'an event became a dead letter', subject: message.subject, event: eventId, err: error });
  }
}
