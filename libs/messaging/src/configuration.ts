import { z } from 'zod';
import { LIMITS } from './limits.js';

/** What every service that uses NATS reads from its environment. */
export const natsEnvironment = {
  /** One or more `nats://` or `tls://` addresses, separated by commas; the first may hold `user:password@`. */
  NATS_URL: z.string().min(1),
  NATS_USER: z.string().min(1).optional(),
  NATS_PASSWORD: z.string().min(1).optional(),
  /** Copies of each stream and bucket that this service creates: 1 on one machine, 3 on a cluster. */
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
};

export interface NatsConfiguration {
  readonly NATS_URL: string;
  readonly NATS_USER?: string | undefined;
  readonly NATS_PASSWORD?: string | undefined;
  readonly NATS_REPLICAS?: number | undefined;
}

/** The streams of domain events, one for each context. */
export type StreamName = 'IDENTITY' | 'SCHOOL' | 'LEARNER';

export interface Delivery {
  /** Delays before a failed event is tried again, in milliseconds; after the last one it becomes a dead letter. */
  readonly retryDelaysMs: readonly number[];
  /** What a reader took and did not acknowledge, because it was killed for instance, is delivered again after this. */
  readonly ackWaitMs: number;
}

export interface MessagingOptions {
  /** Name of the service: NATS user, queue group, prefix of its consumers. */
  readonly service: string;
  readonly nats: NatsConfiguration;
  /** Streams that the service owns: it creates and updates them when NATS is reachable. */
  readonly streams?: readonly StreamName[];
  /** KV buckets that it creates when they are missing. */
  readonly buckets?: readonly string[];
  /** True gives the outbox with its relay and the event consumers; the service then has a `DataSource`. */
  readonly database?: boolean;
  /** How events are delivered again; the defaults are for production. */
  readonly delivery?: Partial<Delivery>;
}

/** The options as an injectable. */
export class MessagingSettings implements MessagingOptions {
  readonly service: string;
  readonly nats: NatsConfiguration;
  readonly streams: readonly StreamName[];
  readonly buckets: readonly string[];
  readonly database: boolean;
  readonly replicas: number;
  readonly delivery: Delivery;

  constructor(options: MessagingOptions) {
    this.service = options.service;
    this.nats = options.nats;
    this.streams = options.streams ?? [];
    this.buckets = options.buckets ?? [];
    this.database = options.database ?? false;
    this.replicas = options.nats.NATS_REPLICAS ?? 1;
    this.delivery = {
      retryDelaysMs: [250, 1_000, 5_000, 15_000, 60_000],
      ackWaitMs: LIMITS.ackWait,
      ...options.delivery,
    };
  }
}
