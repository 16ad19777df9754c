import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { TOPOLOGY_LIMITS, bucketStream } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { MetricsRegistry } from '@lyceum/platform';
import { jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import { pause } from '../connection/backoff.js';
import { encodeBucketValue } from './bucket-value.js';
import { readBatch } from '../connection/direct-read.js';
import { BucketMirror } from './kv-mirror.js';
import type { KvMirror } from './kv-mirror.js';
import { LIMITS } from '../connection/limits.js';
import { MissingResources } from '../connection/missing-resources.js';
import { Nats } from '../connection/nats.js';
import { managerOf } from '../connection/storage.js';

/**
 * Small directories that services mirror in memory: JSON values by key. The bootstrap step creates the buckets. Writes
 * throw `BucketValueError` for a value beyond the limits of buckets.
 */
@Injectable()
export class KeyValue implements BeforeApplicationShutdown {
  readonly #nats: Nats;
  readonly #missing: MissingResources;
  readonly #mirrors: BucketMirror<unknown>[] = [];
  readonly #stop = new AbortController();
  readonly #stopped: Promise<undefined>;

  constructor(nats: Nats, metrics: MetricsRegistry) {
    this.#nats = nats;
    this.#missing = new MissingResources(metrics.registry);
    const { signal } = this.#stop;
    this.#stopped = new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    nats.onConnect(() => {
      for (const mirror of this.#mirrors) mirror.restart();
    });
  }

  beforeApplicationShutdown(): void {
    this.#stop.abort();
  }

  /** Writes the value unless it is equal. Waits some seconds for NATS, then throws `temporarily_unavailable`. */
  async put(bucket: string, key: string, value: unknown): Promise<void> {
    const data = encodeBucketValue(key, value);
    await this.#use(bucket, async (connection) => {
      const present = await this.#read(connection, bucket, key);
      if (present === undefined || Buffer.compare(present, data) !== 0)
        await write(connection, subjectOf(bucket, key), { data });
    });
  }

  /** Writes those of the values that differ from the bucket. It reads the whole bucket, in few requests. */
  async putAll(bucket: string, values: ReadonlyMap<string, unknown>): Promise<void> {
    const differing = new Map<string, Uint8Array>();
    for (const [key, value] of values) differing.set(subjectOf(bucket, key), encodeBucketValue(key, value));
    await this.#use(bucket, async (connection) => {
      const query = { stream: bucketStream(bucket), batch: LIMITS.bucketBatch, filter: '>' };
      for (let seq = 1; ;) {
        const messages = await readBatch(connection, this.#nats.storage, { ...query, seq });
        for (const { subject, data, header } of messages) {
          const wanted = differing.get(subject);
          const isEqual = wanted !== undefined && Buffer.compare(data, wanted) === 0;
          if (isEqual && header('KV-Operation') === undefined) differing.delete(subject);
        }
        const last = messages.at(-1);
        if (last === undefined) break;
        seq = last.seq + 1;
      }
      const writes = [...differing];
      for (let at = 0; at < writes.length; at += LIMITS.bucketBatch) {
        const batch = writes.slice(at, at + LIMITS.bucketBatch);
        await Promise.all(batch.map(([subject, data]) => write(connection, subject, { data })));
      }
    });
  }

  /**
   * Writes the value with a time to live: mirrors drop it unless it is renewed. Takes also what `encodeBucketValue` has
   * returned for a value.
   */
  async lease(bucket: string, key: string, value: unknown, milliseconds: number): Promise<void> {
    const ttl = `${Math.ceil(milliseconds / 1_000)}s`;
    const data = value instanceof Uint8Array ? value : encodeBucketValue(key, value);
    await this.#use(bucket, (connection) => write(connection, subjectOf(bucket, key), { data, ttl }));
  }

  /** Ends a lease early and leaves no marker. */
  async release(bucket: string, key: string): Promise<void> {
    const ttl = `${TOPOLOGY_LIMITS.leaseMarker / 1_000}s`;
    await this.#use(bucket, (connection) => write(connection, subjectOf(bucket, key), { operation: 'PURGE', ttl }));
  }

  /** Deletes the value if there is one. The key stays as a marker, by which mirrors drop the value. */
  async delete(bucket: string, key: string): Promise<void> {
    await this.#use(bucket, async (connection) => {
      if ((await this.#read(connection, bucket, key)) === undefined) return;
      await write(connection, subjectOf(bucket, key), { operation: 'DEL' });
    });
  }

  /** Undefined without a value. */
  async #read(connection: NatsConnection, bucket: string, key: string): Promise<Uint8Array | undefined> {
    const { direct } = await managerOf(connection, this.#nats.storage);
    const present = await direct.getMessage(bucketStream(bucket), { last_by_subj: subjectOf(bucket, key) });
    return present === null || present.header.has('KV-Operation') ? undefined : present.data;
  }

  /** An in-memory mirror of the bucket; values that do not fit the schema are left out. */
  mirror<T>(bucket: string, schema: z.ZodType<T>): KvMirror<T> {
    const mirror = new BucketMirror(bucket, schema, this.#missing, this.#nats.storage);
    // Safe: a mirror only returns values that its schema accepted.
    this.#mirrors.push(mirror as unknown as BucketMirror<unknown>);
    void mirror.follow(() => Promise.race([this.#nats.ready(), this.#stopped]), this.#stop.signal);
    return mirror;
  }

  /** Calls back when the bucket exists, and again each time it was recreated: its writers have to fill it then. */
  onCreated(bucket: string, fn: () => void): void {
    void this.#watchCreation(bucket, fn);
  }

  async #watchCreation(bucket: string, fn: () => void): Promise<void> {
    const { signal } = this.#stop;
    let known: string | undefined;
    while (!signal.aborted) {
      const connection = await Promise.race([this.#nats.ready(), this.#stopped]);
      if (connection === undefined) return;
      try {
        const manager = await managerOf(connection, this.#nats.storage);
        const { created } = await manager.streams.info(bucketStream(bucket));
        this.#missing.present('bucket', bucket);
        if (created !== known) fn();
        known = created;
      } catch (error) {
        // `put` and `lease` log their own failures.
        this.#missing.failed('bucket', bucket, error);
      }
      await pause(LIMITS.bucketPoll, signal);
    }
  }

  async #use(bucket: string, work: (connection: NatsConnection) => Promise<void>): Promise<void> {
    const waited = pause(LIMITS.bucketWait, this.#stop.signal).then(() => undefined);
    const connection = await Promise.race([this.#nats.ready(), waited]);
    if (connection === undefined) throw unavailable();
    try {
      await work(connection);
    } catch (cause) {
      this.#missing.failed('bucket', bucket, cause);
      throw unavailable(cause);
    }
  }
}

const subjectOf = (bucket: string, key: string): string => `$KV.${bucket}.${key}`;

interface Written {
  readonly data?: Uint8Array;
  /** Undefined: the data is the value. */
  readonly operation?: 'DEL' | 'PURGE';
  readonly ttl?: string;
}

async function write(connection: NatsConnection, subject: string, { data, operation, ttl }: Written): Promise<void> {
  const written = headers();
  if (operation !== undefined) written.set('KV-Operation', operation);
  if (operation === 'PURGE') written.set('Nats-Rollup', 'sub');
  await jetstream(connection, { timeout: LIMITS.jetStreamTimeout }).publish(subject, data ?? '', {
    headers: written,
    ...(ttl === undefined ? {} : { ttl }),
  });
}

function unavailable(cause?: unknown): ApiError {
  return new ApiError('temporarily_unavailable', 'The directory cannot be written now.', {
    retryAfter: 1,
    ...(cause === undefined ? {} : { cause }),
  });
}
