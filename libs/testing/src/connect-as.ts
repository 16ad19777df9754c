import { inboxPrefix } from '@lyceum/contracts';
import { connect } from '@nats-io/transport-node';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';

/** Connects to NATS as the user of the environment, with the inbox prefix that its permissions allow. */
export function connectAs(
  { NATS_URL, NATS_USER, NATS_PASSWORD }: Readonly<Record<string, string>>,
  options: Pick<ConnectionOptions, 'reconnect'> = {},
): Promise<NatsConnection> {
  if (NATS_URL === undefined || NATS_USER === undefined || NATS_PASSWORD === undefined)
    throw new Error('NATS_URL, NATS_USER and NATS_PASSWORD are required');
  const credentials = { user: NATS_USER, pass: NATS_PASSWORD, inboxPrefix: inboxPrefix(NATS_USER) };
  return connect({ servers: NATS_URL, ...credentials, ...options });
}
