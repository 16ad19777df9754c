import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { LIMITS } from '../connection/limits.js';

interface Bounds {
  /** Messages in one batch, and messages that wait for the next one. */
  readonly size: number;
  readonly ackWaitMs: number;
}

/**
 * Groups messages into batches. A message that arrives alone is delivered at once; those that arrive while a batch is
 * processed form the next one. Both are reported to the server as in progress until they are settled, so neither is
 * redelivered. At most one further batch in transit may be delivered twice, which the inbox detects.
 */
export class EventBatches {
  readonly #messages: ConsumerMessages;
  readonly #bounds: Bounds;
  #inHand: readonly JsMsg[] = [];
  readonly #waiting: JsMsg[] = [];
  #waitingBytes = 0;
  #changed = Promise.withResolvers<void>();
  #done = false;

  constructor(messages: ConsumerMessages, bounds: Bounds) {
    this.#messages = messages;
    this.#bounds = bounds;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly JsMsg[]> {
    const gathering = this.#gather().finally(() => this.#end());
    // Awaited at the end; until then a failure must not count as an unhandled rejection.
    gathering.catch(() => undefined);
    const holding = setInterval(() => this.#hold(), this.#bounds.ackWaitMs / LIMITS.holdsPerAckWait);
    try {
      while (!this.#done || this.#waiting.length > 0) {
        if (this.#waiting.length === 0) await this.#change();
        else yield this.#take();
        this.#inHand = [];
      }
      await gathering;
    } finally {
      clearInterval(holding);
      this.#end();
      void this.#messages.close();
    }
  }

  async #gather(): Promise<void> {
    for await (const message of this.#messages) {
      this.#waiting.push(message);
      this.#waitingBytes += message.data.length;
      this.#wake();
      while (this.#isFull() && !this.#done) await this.#change();
      if (this.#done) return;
    }
  }

  #isFull(): boolean {
    return this.#waiting.length >= this.#bounds.size || this.#waitingBytes >= LIMITS.batchBytes;
  }

  #take(): readonly JsMsg[] {
    let bytes = 0;
    const beyond = this.#waiting.findIndex(({ data }, at) => {
      bytes += data.length;
      return at === this.#bounds.size || (at > 0 && bytes > LIMITS.batchBytes);
    });
    this.#inHand = this.#waiting.splice(0, beyond === -1 ? this.#waiting.length : beyond);
    this.#waitingBytes -= this.#inHand.reduce((sum, { data }) => sum + data.length, 0);
    this.#wake();
    return this.#inHand;
  }

  #hold(): void {
    try {
      // A no-op for acknowledged messages.
      for (const message of [...this.#inHand, ...this.#waiting]) message.working();
    } catch {
      // The connection is closed: the server redelivers its messages.
    }
  }

  #end(): void {
    this.#done = true;
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #change(): Promise<void> {
    return this.#changed.promise;
  }
}
