import { Injectable, Logger } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { HealthRegistry, MetricsRegistry, errorMessage } from '@lyceum/platform';
import { PermissionViolationError, compare, connect, parseSemVer } from '@nats-io/transport-node';
import type { NatsConnection, Status } from '@nats-io/transport-node';
import prom from 'prom-client';
import { Backoff, atMost, pause } from './backoff.js';
import { MessagingSettings, storageOf } from './configuration.js';
import { LIMITS } from './limits.js';
import { Outgoing } from './outgoing.js';
import { connectionOptions } from './server-address.js';
import type { Storage } from './storage.js';

/**
 * The process's only connection to NATS. Startup does not wait for it; it connects and reconnects in the background
 * until the process ends.
 */
@Injectable()
export class Nats implements OnModuleInit {
  /** Groups requests and replies. Other publications need no grouping. */
  readonly outgoing = new Outgoing();
  readonly #logger = new Logger(Nats.name);
  readonly #settings: MessagingSettings;
  readonly #connects: (() => void)[] = [];
  readonly #disconnects: (() => void)[] = [];
  readonly #refusals: ((error: PermissionViolationError) => void)[] = [];
  readonly #stop = new AbortController();
  readonly #reconnects: prom.Counter;
  #started = false;
  #held: NatsConnection | undefined;
  #connected = Promise.withResolvers<NatsConnection>();
  #up = false;
  #everUp = false;
  #fault = 'not connected yet';

  constructor(settings: MessagingSettings, health: HealthRegistry, metrics: MetricsRegistry) {
    this.#settings = settings;
    // Services work without NATS, so a later outage must not make them unready.
    health.add({
      name: 'nats',
      ready: () => {
        if (!this.#everUp) throw new Error(this.#fault);
      },
    });
    const registers = [metrics.registry];
    const connectedGauge: prom.Gauge = new prom.Gauge({
      name: 'nats_connected',
      help: '1 while this process is connected to NATS',
      registers,
      collect: (): void => connectedGauge.set(this.#up ? 1 : 0),
    });
    this.#reconnects = new prom.Counter({
      name: 'nats_connections_total',
      help: 'Connections made to NATS since the process started',
      registers,
    });
  }

  onModuleInit(): void {
    this.#start();
  }

  get connected(): boolean {
    return this.#up;
  }

  /** The connection while it is up, else undefined. */
  get connection(): NatsConnection | undefined {
    return this.#up ? this.#held : undefined;
  }

  /** Subject prefix of the replies to this service. */
  get inboxPrefix(): string {
    return this.storage.inboxPrefix;
  }

  get storage(): Storage {
    return storageOf(this.#settings.service, this.#settings.nats);
  }

  /** Resolves with the current or next connection. Never rejects. */
  ready(): Promise<NatsConnection> {
    this.#start();
    return this.#connected.promise;
  }

  /** Called after every connect and reconnect, but not for an existing connection. */
  onConnect(fn: () => void): void {
    this.#connects.push(fn);
  }

  onDisconnect(fn: () => void): void {
    this.#disconnects.push(fn);
  }

  /** Called when the server refused a message: this service's user may not publish on its subject. */
  onRefusal(fn: (error: PermissionViolationError) => void): void {
    this.#refusals.push(fn);
  }

  /** Flushes, drains the subscriptions and closes, within a time limit even without a server. */
  async drain(): Promise<void> {
    this.#stop.abort();
    this.outgoing.flush();
    const connection = this.#held;
    if (connection === undefined || connection.isClosed()) return;
    if (this.#up) {
      // A lost connection has nothing to drain.
      const lost = new Promise<void>((resolve) => this.#disconnects.push(resolve));
      const drained = connection.drain().catch(() => undefined);
      await atMost(LIMITS.connectionDrain, Promise.race([drained, lost]));
    }
    await atMost(LIMITS.connectionDrain, connection.close());
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    const { service, nats } = this.#settings;
    const { signal } = this.#stop;
    const backoff = new Backoff(LIMITS.reconnectWait, LIMITS.setupRetryMax);
    while (!signal.aborted) {
      try {
        const connection = await connect(connectionOptions(service, nats));
        await this.#follow(connection);
        backoff.reset();
      } catch (error) {
        this.#report(errorMessage(error));
      }
      await pause(backoff.next(), signal);
    }
  }

  /** Returns when the connection is closed for good: by `drain`, or because the server is unusable. */
  async #follow(connection: NatsConnection): Promise<void> {
    if (this.#stop.signal.aborted) return connection.close();
    const refusal = refuse(connection);
    if (refusal !== undefined) {
      await connection.close();
      throw new Error(refusal);
    }
    this.#held = connection;
    this.#opened(connection);
    for await (const status of connection.status()) this.#observe(connection, status);
    await connection.closed();
    this.#lost();
    this.#held = undefined;
  }

  #observe(connection: NatsConnection, status: Status): void {
    switch (status.type) {
      case 'disconnect':
        this.#lost();
        break;
      case 'reconnect': {
        const refusal = refuse(connection);
        if (refusal === undefined) this.#opened(connection);
        else {
          this.#report(refusal);
          void connection.close();
        }
        break;
      }
      case 'error':
        this.#logger.warn(`NATS: ${status.error.message}`);
        if (status.error instanceof PermissionViolationError && status.error.operation === 'publish') {
          for (const fn of this.#refusals) fn(status.error);
        }
        break;
      default:
        break;
    }
  }

  #opened(connection: NatsConnection): void {
    if (this.#up) return;
    this.#up = true;
    this.#everUp = true;
    this.#fault = '';
    this.#reconnects.inc();
    this.#logger.log(`connected to NATS ${connection.info?.version ?? ''} at ${connection.getServer()}`);
    this.#connected.resolve(connection);
    for (const fn of this.#connects) fn();
  }

  #lost(): void {
    if (!this.#up) return;
    this.#up = false;
    this.#connected = Promise.withResolvers<NatsConnection>();
    if (!this.#stop.signal.aborted) this.#logger.warn('the connection to NATS is lost; connecting again');
    for (const fn of this.#disconnects) fn();
  }

  /** Logs each new reason once, not each attempt. */
  #report(fault: string): void {
    if (fault === this.#fault) return;
    this.#fault = fault;
    this.#logger.error(`NATS cannot be used: ${fault}; trying again`);
  }
}

function refuse(connection: NatsConnection): string | undefined {
  const version = connection.info?.version ?? '0.0.0';
  if (compare(parseSemVer(version), parseSemVer(LIMITS.oldestServer)) >= 0) return undefined;
  return `the server is ${version}, at least ${LIMITS.oldestServer} is needed`;
}
