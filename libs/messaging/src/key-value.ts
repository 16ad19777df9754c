import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Outcome } from '@lyceum/errors';
import { StorageType, jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import { Backoff, pause } from './backoff.js';
import { MessagingSettings } from './configuration.js';
import { WatchedBucket } from './kv-mirror.js';
import type { KvMirror } from './kv-mirror.js';
import { LIMITS } from './limits.js';
import { Nats } from './nats.js';

export interface BucketOptions {
  /** Values may be written for a time, see `lease`. */
  readonly leases: boolean;
}

/** Small directories that every service holds in memory: JSON values by key. */
@Injectable()
export class KeyValue implements BeforeApplicationShutdown {
  readonly #logger = new Logger(KeyValue.name);
  readonly #nats: Nats;
  readonly #settings: MessagingSettings;
  readonly #mirrors: WatchedBucket<unknown>[] = [];
  readonly #owned: Map<string, BucketOptions>;
  readonly #stop = new AbortController();

  constructor(nats: Nats, settings: MessagingSettings) {
    this.#nats = nats;
    this.#settings = settings;
    this.#owned = new Map(settings.buckets.map((bucket) => [bucket, { leases: false }]));
    nats.onConnect(() => {
      void this.#createOwned();
      for (const mirror of this.#mirrors) mirror.restart();
    });
  }

  beforeApplicationShutdown(): void {
    this.#stop.abort();
    for (const mirror of this.#mirrors) mirror.restart();
  }

  /** Declares a bucket that this service creates when it is missing; `buckets` of the module's options do the same. */
  own(bucket: string, options: BucketOptions = { leases: false }): void {
    this.#owned.set(bucket, options);
  }

  /** Writes the value unless it is there already. Waits some seconds for NATS, then throws `temporarily_unavailable`. */
  async put(bucket: string, key: string, value: unknown): Promise<void> {
    const text = JSON.stringify(value);
    await this.#use(bucket, async (kv) => {
      const present = await kv.get(key);
      if (present?.operation === 'PUT' && present.string() === text) return;
      await kv.put(key, text);
    });
  }

  /** Writes the value for a time: who mirrors the bucket sees it go when it is not written again before. */
  async lease(bucket: string, key: string, value: unknown, milliseconds: number): Promise<void> {
    await this.#use(bucket, async (_kv, connection) => {
      const ttl = `${Math.ceil(milliseconds / 1_000)}s`;
      await jetstream(connection, { timeout: LIMITS.jetStreamTimeout }).publish(
        `$KV.${bucket}.${key}`,
        JSON.stringify(value),
        { ttl },
      );
    });
  }

  /** Ends a lease before its time, and leaves nothing of it. */
  async release(bucket: string, key: string): Promise<void> {
    await this.#use(bucket, (kv) => kv.purge(key, { ttl: `${LIMITS.leaseMarker / 1_000}s` }));
  }

  async delete(bucket: string, key: string): Promise<void> {
    await this.#use(bucket, (kv) => kv.delete(key));
  }

  /** A copy of the bucket in memory; values that do not fit the schema are left out. */
  mirror<T>(bucket: string, schema: z.ZodType<T>): KvMirror<T> {
    const mirror = new WatchedBucket(bucket, schema);
    // Read-only from here on: what comes out is what the schema let in.
    this.#mirrors.push(mirror as unknown as WatchedBucket<unknown>);
    const { signal } = this.#stop;
    const stopped = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    void mirror.follow(async () => {
      const connection = await Promise.race([this.#nats.ready(), stopped]);
      return connection === undefined ? undefined : this.#open(connection, bucket);
    }, signal);
    return mirror;
  }

  async #use(bucket: string, work: (kv: KV, connection: NatsConnection) => Promise<void>): Promise<void> {
    const waited = pause(LIMITS.bucketWait, this.#stop.signal).then(() => undefined);
    const connection = await Promise.race([this.#nats.ready(), waited]);
    if (connection === undefined) throw unavailable();
    try {
      await work(await this.#open(connection, bucket), connection);
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  /** The bucket; made when it is missing and this service owns it. */
  #open(connection: NatsConnection, bucket: string): Promise<KV> {
    const manager = new Kvm(jetstream(connection, { timeout: LIMITS.jetStreamTimeout }));
    const options = this.#owned.get(bucket);
    if (options === undefined) return manager.open(bucket);
    return manager.create(bucket, {
      history: 1,
      storage: StorageType.File,
      replicas: this.#settings.replicas,
      maxValueSize: LIMITS.bucketValueBytes,
      ...(options.leases ? { markerTTL: LIMITS.leaseMarker } : {}),
    });
  }

  /** After every connect, so that those who mirror a bucket find it, whether or not anything is put. */
  async #createOwned(): Promise<void> {
    const backoff = new Backoff(LIMITS.setupRetry, LIMITS.setupRetryMax);
    for (let reported = false; !this.#stop.signal.aborted;) {
      const connection = this.#nats.connection;
      if (connection === undefined) return;
      try {
        for (const [bucket, options] of this.#owned) await assertTaken(await this.#open(connection, bucket), options);
        return;
      } catch (error) {
        if (!reported) this.#logger.error({ msg: 'a bucket could not be made; trying again', err: error });
        reported = true;
        await pause(backoff.next(), this.#stop.signal);
      }
    }
  }
}

/** A server ignores what it does not know, and the bucket may be somebody else's: so read back. */
async function assertTaken(kv: KV, { leases }: BucketOptions): Promise<void> {
  const { bucket, history, storage, maxValueSize, markerTTL } = await kv.status();
  if (markerTTL !== (leases ? LIMITS.leaseMarker : 0)) throw new Error(`the bucket ${bucket} does not keep leases`);
  if (history !== 1 || storage !== StorageType.File || maxValueSize !== LIMITS.bucketValueBytes) {
    throw new Error(`the bucket ${bucket} is not as it was declared`);
  }
}

function unavailable(cause?: unknown): Outcome {
  return new Outcome('temporarily_unavailable', 'The directory cannot be written now.', {
    retryAfter: 1,
    ...(cause === undefined ? {} : { cause }),
  });
}
