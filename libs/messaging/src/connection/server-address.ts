import { inboxPrefix } from '@lyceum/contracts';
import type { NodeConnectionOptions } from '@nats-io/transport-node';
import { addressesOf } from './addresses.js';
import type { NatsConfiguration } from './configuration.js';
import { LIMITS } from './limits.js';

interface Addresses {
  readonly servers: string[];
  readonly user: string | undefined;
  readonly pass: string | undefined;
  readonly tls: boolean;
}

/** Splits `NATS_URL`. The first credentials in it are used unless NATS_USER is set. */
export function parseAddresses(configuration: NatsConfiguration): Addresses {
  const urls = addressesOf(configuration.NATS_URL);
  const withUser = urls.find((url) => url.username !== '');
  const inUrl = (value: string | undefined): string | undefined =>
    value === undefined || value === '' ? undefined : decodeURIComponent(value);
  const given = configuration.NATS_USER !== undefined;
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port === '' ? '4222' : url.port}`),
    user: given ? configuration.NATS_USER : inUrl(withUser?.username),
    pass: given ? configuration.NATS_PASSWORD : inUrl(withUser?.password),
    tls: urls.some((url) => url.protocol === 'tls:'),
  };
}

/** Connection options of every process. */
export function connectionOptions(service: string, configuration: NatsConfiguration): NodeConnectionOptions {
  const { servers, user, pass, tls } = parseAddresses(configuration);
  return {
    servers,
    name: service,
    inboxPrefix: inboxPrefix(service),
    ...(user === undefined ? {} : { user, pass: pass ?? '' }),
    ...(tls ? { tls: {} } : {}),
    timeout: LIMITS.connectTimeout,
    maxReconnectAttempts: -1,
    reconnectTimeWait: LIMITS.reconnectWait,
    reconnectJitter: LIMITS.reconnectJitter,
    reconnectJitterTLS: LIMITS.reconnectJitter,
    pingInterval: LIMITS.pingInterval,
    maxPingOut: LIMITS.maxPingOut,
    // Credentials may be rotated on the server first, so authentication errors are retried.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  };
}
