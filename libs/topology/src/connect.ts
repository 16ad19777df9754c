import { readFileSync } from 'node:fs';
import { inboxPrefix } from '@lyceum/contracts';
import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';

/** NATS connection of the bootstrap step. */
export interface BootstrapSettings {
  /** One or more `nats://` or `tls://` addresses, separated by commas. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Replicas of each stream: 1 on one machine, 3 on a cluster. */
  readonly replicas: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `NATS_URL`, `NATS_USER`, `NATS_PASSWORD` and `NATS_REPLICAS`, or the files named by `<NAME>_FILE`. */
export function readSettings(environment: Environment): BootstrapSettings {
  const value = (name: string): string | undefined => {
    const file = environment[`${name}_FILE`];
    return (file ? readFileSync(file, 'utf8').replace(/\r?\n$/, '') : environment[name]) || undefined;
  };
  const url = value('NATS_URL');
  if (url === undefined) throw new Error('NATS_URL is required');
  const replicas = Number(value('NATS_REPLICAS') ?? '1');
  if (![1, 3, 5].includes(replicas)) throw new Error('NATS_REPLICAS must be 1, 3 or 5');
  return { url, user: value('NATS_USER'), password: value('NATS_PASSWORD'), replicas };
}

export function connectForBootstrap(settings: BootstrapSettings): Promise<NatsConnection> {
  const { url, user, password } = settings;
  return connect({
    servers: url.split(',').map((address) => address.trim()),
    name: 'bootstrap',
    inboxPrefix: inboxPrefix('bootstrap'),
    ...(user === undefined ? {} : { user, pass: password ?? '' }),
    ...(url.includes('tls://') ? { tls: {} } : {}),
    // Its callers connect again.
    reconnect: false,
    noAsyncTraces: true,
  });
}
