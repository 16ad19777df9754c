import { Logger } from '@nestjs/common';
import type { KV, KvWatchEntry } from '@nats-io/kv';
import type { QueuedIterator } from '@nats-io/transport-node';
import type { z } from 'zod';
import { Backoff, pause } from './backoff.js';
import { LIMITS } from './limits.js';

/** A bucket in memory. It keeps what it has while NATS is away, and is brought up to date by every reconnect. */
export interface KvMirror<T> {
  /** Resolves when the bucket has been read once. Never rejects. */
  readonly ready: Promise<void>;
  get(key: string): T | undefined;
  values(): Iterable<T>;
  /** Called for each key that gets another value, or none (undefined), from the first reading on. */
  onChange(fn: (key: string, value: T | undefined) => void): void;
}

export class WatchedBucket<T> implements KvMirror<T> {
  readonly #logger: Logger;
  readonly #schema: z.ZodType<T>;
  readonly #entries = new Map<string, { text: string; value: T }>();
  readonly #listeners: ((key: string, value: T | undefined) => void)[] = [];
  readonly #ready = Promise.withResolvers<void>();
  #watch: QueuedIterator<KvWatchEntry> | undefined;

  constructor(bucket: string, schema: z.ZodType<T>) {
    this.#logger = new Logger(`KvMirror ${bucket}`);
    this.#schema = schema;
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value;
  }

  *values(): Iterable<T> {
    for (const entry of this.#entries.values()) yield entry.value;
  }

  onChange(fn: (key: string, value: T | undefined) => void): void {
    this.#listeners.push(fn);
  }

  /** Watches for as long as the process lives. `open` waits for NATS and rejects while the bucket is missing. */
  async follow(open: () => Promise<KV | undefined>, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(LIMITS.setupRetry, LIMITS.setupRetryMax);
    let fault: string | undefined;
    while (!signal.aborted) {
      try {
        const bucket = await open();
        if (bucket === undefined) return;
        await this.#read(bucket);
        fault = undefined;
        backoff.reset();
        await pause(LIMITS.restartWait, signal);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== fault) this.#logger.warn({ msg: 'the bucket cannot be watched now; trying again', err: error });
        fault = reason;
        await pause(backoff.next(), signal);
      }
    }
  }

  /** Ends the running watch, so that `follow` opens another: what was missed meanwhile is in its first reading. */
  restart(): void {
    this.#watch?.stop();
  }

  /** One watch: the last value of every key, then each change. Keys that the first reading lacks are gone. */
  async #read(bucket: KV): Promise<void> {
    const { values } = await bucket.status();
    const watch = await bucket.watch();
    this.#watch = watch;
    const seen = new Set<string>();
    let reading = values > 0;
    if (!reading) this.#finishReading(seen);
    for await (const entry of watch) {
      if (entry.operation === 'PUT') this.#put(entry.key, entry.string());
      else this.#remove(entry.key);
      if (!reading) continue;
      if (entry.operation === 'PUT') seen.add(entry.key);
      reading = entry.delta !== 0;
      if (!reading) this.#finishReading(seen);
    }
  }

  #finishReading(seen: ReadonlySet<string>): void {
    for (const key of this.#entries.keys()) if (!seen.has(key)) this.#remove(key);
    this.#ready.resolve();
  }

  #put(key: string, text: string): void {
    if (this.#entries.get(key)?.text === text) return;
    let value: T;
    try {
      value = this.#schema.parse(JSON.parse(text));
    } catch (error) {
      this.#logger.error({ msg: `the value of ${key} is not understood; the one before it is kept`, err: error });
      return;
    }
    this.#entries.set(key, { text, value });
    this.#notify(key, value);
  }

  #remove(key: string): void {
    if (this.#entries.delete(key)) this.#notify(key, undefined);
  }

  #notify(key: string, value: T | undefined): void {
    for (const fn of this.#listeners) {
      try {
        fn(key, value);
      } catch (error) {
        this.#logger.error({ msg: `a listener failed on ${key}`, err: error });
      }
    }
  }
}
