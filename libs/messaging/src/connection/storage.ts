import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { LIMITS } from './limits.js';

/** JetStream API prefix and reply inbox of a service. */
export interface Storage {
  /** Prefix of the JetStream API in the account of the service, in place of `$JS.API`. */
  readonly api: string;
  readonly inboxPrefix: string;
}

/** Reads and acknowledges. Publishing needs no prefix. */
export function clientOf(connection: NatsConnection, { api }: Pick<Storage, 'api'>): JetStreamClient {
  return jetstream(connection, { apiPrefix: api, timeout: LIMITS.jetStreamTimeout });
}

/** Reads stored messages. Its only permitted change is the deletion of the service's own events and dead letters. */
export function managerOf(
  connection: NatsConnection,
  { api, timeout = LIMITS.jetStreamTimeout }: Pick<Storage, 'api'> & { readonly timeout?: number },
): Promise<JetStreamManager> {
  return jetstreamManager(connection, { apiPrefix: api, checkAPI: false, timeout });
}
