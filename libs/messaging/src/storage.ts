import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { LIMITS } from './limits.js';

/** Where a service finds JetStream, and where it takes replies. */
export interface Storage {
  /** Prefix of the JetStream API: what stands for `$JS.API` in the account of the service. */
  readonly api: string;
  readonly inboxPrefix: string;
}

/** Reads and acknowledges. Publishing needs no prefix. */
export function clientOf(connection: NatsConnection, { api }: Pick<Storage, 'api'>): JetStreamClient {
  return jetstream(connection, { apiPrefix: api, timeout: LIMITS.jetStreamTimeout });
}

/** Asks for what is stored. A service may change nothing by it, but delete its own dead letters. */
export function managerOf(connection: NatsConnection, { api }: Pick<Storage, 'api'>): Promise<JetStreamManager> {
  return jetstreamManager(connection, { apiPrefix: api, checkAPI: false, timeout: LIMITS.jetStreamTimeout });
}
