import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { inboxPrefix } from '@lyceum/contracts';
import type { StreamName } from '@lyceum/contracts';
import { integer } from '@lyceum/platform';
import { z } from 'zod';
import { areAddresses } from './addresses.js';
import { LIMITS } from './limits.js';
import type { Storage } from './storage.js';

export type { StreamName };

/** Environment of every service that uses NATS. */
export const natsEnvironment = {
  /** One or more `nats://` or `tls://` addresses, separated by commas; one may contain `user:password@`. */
  NATS_URL: z.string().refine(areAddresses, 'must be nats:// or tls:// addresses, separated by commas'),
  NATS_USER: z.string().min(1).optional(),
  NATS_PASSWORD: z.string().min(1).optional(),
  /** Prefix of the JetStream API in the account of this user: `HUB.API` with the accounts of libs/contracts. */
  NATS_API_PREFIX: z.string().min(1).default('$JS.API'),
};

/** Environment of a service that uses `SharedValues`. */
export const sharedValuesEnvironment = {
  /** Time limit of a shared value in milliseconds: a request of a caller waits for it. */
  SHARED_VALUE_TIMEOUT_MS: integer(50, 30_000).default(LIMITS.sharedValueTimeout),
};

export interface NatsConfiguration {
  readonly NATS_URL: string;
  readonly NATS_USER?: string | undefined;
  readonly NATS_PASSWORD?: string | undefined;
  readonly NATS_API_PREFIX?: string | undefined;
  readonly SHARED_VALUE_TIMEOUT_MS?: number | undefined;
}

/** JetStream API prefix and inbox prefix of the service. */
export function storageOf(service: string, { NATS_API_PREFIX }: NatsConfiguration): Storage {
  return { api: NATS_API_PREFIX ?? '$JS.API', inboxPrefix: inboxPrefix(service) };
}

export interface Delivery {
  /** Delays before a failed event is retried, in milliseconds; after the last one it becomes a dead letter. */
  readonly retryDelaysMs: readonly number[];
}

export interface MessagingOptions {
  /** Name of the service: NATS user, queue group, prefix of its consumers. */
  readonly service: string;
  readonly nats: NatsConfiguration;
  /** True adds the outbox with its relay and the event consumers; requires a `DataSource`. */
  readonly database?: boolean;
  /** False leaves the event consumers out, for commands that run beside the service. */
  readonly reads?: boolean;
  /** Retry settings of events; the defaults are for production. */
  readonly delivery?: Partial<Delivery>;
  /** Signs the requests of this service, which also trusts this key. */
  readonly signingKey?: KeyObject;
  /** Public keys of the services whose tool calls this service accepts. */
  readonly trustedKeys?: readonly KeyObject[];
}

/** The options as an injectable. */
export class MessagingSettings implements MessagingOptions {
  readonly service: string;
  readonly nats: NatsConfiguration;
  readonly database: boolean;
  readonly reads: boolean;
  readonly delivery: Delivery;
  readonly signingKey: KeyObject | undefined;
  readonly trustedKeys: readonly KeyObject[];

  constructor(options: MessagingOptions) {
    this.service = options.service;
    this.nats = options.nats;
    this.database = options.database ?? false;
    this.reads = options.reads ?? this.database;
    this.delivery = { retryDelaysMs: [250, 1_000, 5_000, 15_000, 60_000], ...options.delivery };
    this.signingKey = options.signingKey;
    const own = options.signingKey === undefined ? [] : [createPublicKey(options.signingKey)];
    this.trustedKeys = [...own, ...(options.trustedKeys ?? [])];
  }
}
