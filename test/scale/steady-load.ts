import { setTimeout as sleep } from 'node:timers/promises';

/** A request that lasts until its replica stops. */
export const SUBSCRIPTION = 'subscription';

/** Above the Retry-After of busy services. */
const RETRY_MS = 1_000;

/** One kind of request that clients send over and over. */
export interface Kind {
  readonly name: string;
  readonly clients: number;
  /** Between two requests of a client. */
  readonly pauseMs: number;
  /** Sends one request and rejects unless the response is right. The signal ends a request that waits for events. */
  send(signal: AbortSignal): Promise<void>;
}

/** A service was too busy and said when to try again. */
export class Busy extends Error {}

export interface LoadReport {
  readonly requests: number;
  /** Requests that a busy service refused with Retry-After, and then served. */
  readonly deferred: number;
  /** The reasons of the failed requests, each with its kind. */
  readonly failures: readonly string[];
  readonly slowestMs: number;
}

/** Clients that send requests until they are stopped. Only a request that a busy service refused is repeated, once. */
export class SteadyLoad {
  readonly #kinds: readonly Kind[];
  readonly #served = new Map<string, number>();
  readonly #failures: string[] = [];
  readonly #stopping = new AbortController();
  readonly #clients: Promise<unknown>;
  #slowestMs = 0;
  #deferred = 0;

  constructor(kinds: readonly Kind[]) {
    this.#kinds = kinds;
    this.#clients = Promise.all(
      kinds.flatMap((kind) => Array.from({ length: kind.clients }, () => this.#client(kind))),
    );
  }

  /** Waits for so many more good responses of each kind, and fails when they do not come. */
  async served(more: number, limitMs = 60_000): Promise<void> {
    const before = new Map(this.#served);
    const deadline = performance.now() + limitMs;
    const missing = (): Kind[] =>
      this.#kinds.filter(({ name }) => this.#count(name) < (before.get(name) ?? 0) + more && name !== SUBSCRIPTION);
    while (missing().length > 0) {
      if (performance.now() > deadline) {
        const names = missing().map(({ name }) => name);
        throw new Error(`Not served in time: ${names.join(', ')}. Failures: ${this.#failures.slice(0, 5).join('; ')}`);
      }
      await sleep(20);
    }
  }

  /** The good responses of a kind so far. */
  countOf(name: string): number {
    return this.#count(name);
  }

  async stop(): Promise<LoadReport> {
    this.#stopping.abort();
    await this.#clients;
    const requests = [...this.#served.values()].reduce((sum, count) => sum + count, 0) + this.#failures.length;
    const slowestMs = Math.round(this.#slowestMs);
    return { requests, deferred: this.#deferred, failures: this.#failures, slowestMs };
  }

  async #sendOrDefer(send: Kind['send'], signal: AbortSignal): Promise<void> {
    try {
      await send(signal);
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      await sleep(RETRY_MS);
      await send(signal);
      this.#deferred += 1;
    }
  }

  #count(name: string): number {
    return this.#served.get(name) ?? 0;
  }

  async #client({ name, pauseMs, send }: Kind): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const began = performance.now();
      try {
        await this.#sendOrDefer(send, signal);
        this.#served.set(name, this.#count(name) + 1);
      } catch (error) {
        const { message, cause } = error as Error;
        const reason = cause instanceof Error ? `${message} (${cause.message})` : message;
        this.#failures.push(`${new Date().toISOString()} ${name}: ${reason}`);
      }
      if (name !== SUBSCRIPTION) this.#slowestMs = Math.max(this.#slowestMs, performance.now() - began);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
