import { Logger } from '@nestjs/common';
import { bucketChanges, bucketStream } from '@lyceum/contracts';
import { errorMessage } from '@lyceum/platform';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import { Backoff, pause } from '../connection/backoff.js';
import { decodeBucketValue } from './bucket-value.js';
import { readBatch } from '../connection/direct-read.js';
import type { StoredMessage } from '../connection/direct-read.js';
import { LIMITS } from '../connection/limits.js';
import type { MissingResources } from '../connection/missing-resources.js';
import { managerOf } from '../connection/storage.js';
import type { Storage } from '../connection/storage.js';

/** A bucket in memory. It keeps its entries while NATS is unavailable and synchronizes after each reconnect. */
export interface KvMirror<T> {
  /** Resolves when the bucket has been read once. Never rejects. */
  readonly ready: Promise<void>;
  get(key: string): T | undefined;
  values(): Iterable<T>;
  /** Called for each key whose value changes or is removed (undefined), from the first read on. */
  onChange(fn: (key: string, value: T | undefined) => void): void;
}

/**
 * Reads a bucket without a consumer. The server announces each change on a core subject; the announcement only wakes
 * the mirror, which then reads the stream from its own revision. A lost, late or reordered announcement therefore only
 * costs a moment.
 */
export class BucketMirror<T> implements KvMirror<T> {
  readonly #logger: Logger;
  readonly #bucket: string;
  readonly #schema: z.ZodType<T>;
  readonly #missing: MissingResources;
  readonly #storage: Storage;
  readonly #entries = new Map<string, { stored: Buffer; value: T }>();
  readonly #listeners: ((key: string, value: T | undefined) => void)[] = [];
  readonly #ready = Promise.withResolvers<void>();
  #subscribed: NatsConnection | undefined;
  #wake = new AbortController();
  /** Sequence number of the last applied message. */
  #revision = 0;
  /** Creation time of the stream, as the server reports it. */
  #created: string | undefined;
  /** Time of the next full read, which also finds removed keys. */
  #rereadAt = 0;

  constructor(bucket: string, schema: z.ZodType<T>, missing: MissingResources, storage: Storage) {
    this.#logger = new Logger(`KvMirror ${bucket}`);
    this.#bucket = bucket;
    this.#schema = schema;
    this.#missing = missing;
    this.#storage = storage;
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

  /** Mirrors until the process ends. `connect` waits for NATS; undefined ends the loop. */
  async follow(connect: () => Promise<NatsConnection | undefined>, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(LIMITS.setupRetry, LIMITS.setupRetryMax);
    let fault: string | undefined;
    while (!signal.aborted) {
      const connection = await connect();
      if (connection === undefined) return;
      try {
        // Before the read, so that a change during the read wakes it again.
        this.#wake = new AbortController();
        this.#listen(connection);
        const behind = await this.#synchronize(connection);
        this.#missing.present('bucket', this.#bucket);
        this.#ready.resolve();
        fault = undefined;
        backoff.reset();
        const rest = behind ? LIMITS.bucketBehind : LIMITS.bucketPoll;
        await pause(rest, AbortSignal.any([signal, this.#wake.signal]));
      } catch (error) {
        this.#missing.failed('bucket', this.#bucket, error);
        const reason = errorMessage(error);
        if (reason !== fault) this.#logger.warn({ msg: 'the bucket cannot be read now; trying again', err: error });
        fault = reason;
        this.#rereadAt = 0;
        await pause(backoff.next(), signal);
      }
    }
  }

  /** Starts a full read, which also finds removed keys. */
  restart(): void {
    this.#rereadAt = 0;
    this.#wake.abort();
  }

  #listen(connection: NatsConnection): void {
    if (this.#subscribed === connection) return;
    this.#subscribed = connection;
    // The client subscribes again by itself after a reconnect.
    connection.subscribe(bucketChanges(this.#bucket), {
      callback: (error) => {
        if (error === null) this.#wake.abort();
        else this.#logger.error({ msg: 'changes of the bucket are not announced; it is polled', err: error });
      },
    });
  }

  /** Returns true when the replica that responded lags behind the leader. */
  async #synchronize(connection: NatsConnection): Promise<boolean> {
    const stream = bucketStream(this.#bucket);
    const manager = await managerOf(connection, this.#storage);
    const { created, state } = await manager.streams.info(stream);
    const isAnother = this.#created !== undefined && this.#created !== created;
    this.#created = created;
    if (isAnother) {
      // The owners of the entries write them again. Until then a missing entry does not count as removed.
      this.#rereadAt = Date.now() + LIMITS.bucketRefill;
      this.#revision = 0;
    }
    if (Date.now() < this.#rereadAt) {
      if (state.last_seq > this.#revision) await this.#read(connection, stream, new Set());
      return state.messages > 0 && this.#revision < state.last_seq;
    }
    const seen = new Set<string>();
    this.#revision = 0;
    await this.#read(connection, stream, seen);
    if (state.messages > 0 && this.#revision < state.last_seq) return true;
    // Removals leave markers, so no owner has written this bucket yet: the entries are those of the one before.
    if (state.last_seq === 0) {
      this.#rereadAt = Date.now() + LIMITS.bucketRefill;
      return false;
    }
    for (const key of this.#entries.keys()) if (!seen.has(key)) this.#remove(key);
    this.#rereadAt = Date.now() + LIMITS.bucketReread;
    return false;
  }

  /** Applies the messages after the revision; adds the keys that have a value. */
  async #read(connection: NatsConnection, stream: string, seen: Set<string>): Promise<void> {
    for (;;) {
      const query = { stream, seq: this.#revision + 1, batch: LIMITS.bucketBatch, filter: '>' };
      const messages = await readBatch(connection, this.#storage, query);
      if (messages.length === 0) return;
      for (const message of messages) {
        this.#apply(message, seen);
        this.#revision = message.seq;
      }
    }
  }

  #apply(message: StoredMessage, seen: Set<string>): void {
    const key = message.subject.slice(`$KV.${this.#bucket}.`.length);
    const isMarker = message.header('KV-Operation') !== undefined || message.header('Nats-Marker-Reason') !== undefined;
    if (isMarker) {
      seen.delete(key);
      this.#remove(key);
    } else {
      seen.add(key);
      this.#put(key, message.data);
    }
  }

  #put(key: string, data: Uint8Array): void {
    if (this.#entries.get(key)?.stored.equals(data) === true) return;
    let value: T;
    try {
      value = this.#schema.parse(decodeBucketValue(data));
    } catch (error) {
      this.#logger.error({ msg: `the value of ${key} is invalid; the previous one is kept`, err: error });
      return;
    }
    // A copy, because the data is a part of what the socket received.
    this.#entries.set(key, { stored: Buffer.from(data), value });
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
