import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { TOOLS_BUCKET } from '@lyceum/contracts';
import type { ToolCatalog, ToolLease } from '@lyceum/contracts';
import { KeyValue, Nats, Requests, encodeBucketValue } from '@lyceum/messaging';
import { Lifecycle } from '@lyceum/platform';
import { versionOf } from './capability-description.js';
import type { ToolSchemas } from './tool-description.js';

/** Lifetime of a crashed instance's lease. A shorter one would expire during a pause of NATS. */
const LEASE_MS = 30_000;
const RETRY_MS = 2_000;
/** The catalog outlives every lease by far; it is large, so it is written rarely. */
const CATALOG_MS = 24 * 3_600_000;

export interface ToolsOptions {
  readonly service: string;
  readonly leaseMs?: number | undefined;
  /** Reads the JSON Schemas that the build has made, by the name of their tool. Called once, at the start. */
  readonly madeSchemas?: () => ReadonlyMap<string, ToolSchemas>;
}

/** The options of the module, as an injectable. */
export class ToolsSettings {
  readonly service: string;
  readonly leaseMs: number;
  readonly madeSchemas: () => ReadonlyMap<string, ToolSchemas>;

  constructor({ service, leaseMs, madeSchemas }: ToolsOptions) {
    this.service = service;
    this.leaseMs = leaseMs ?? LEASE_MS;
    this.madeSchemas = madeSchemas ?? (() => new Map());
  }
}

/**
 * Keeps this instance's capabilities in the bucket: the catalog under its version, and a lease of the instance. Two
 * versions of a service can coexist, as in a rolling release.
 */
@Injectable()
export class ToolsCatalog implements OnModuleDestroy {
  readonly #logger = new Logger(ToolsCatalog.name);
  readonly #keyValue: KeyValue;
  readonly #nats: Nats;
  readonly #requests: Requests;
  readonly #leaseMs: number;
  readonly #instance = randomUUID();
  readonly #lease: ToolLease = { started_at: Date.now() };
  /** The catalog as the bucket has it: its JSON Schemas would take megabytes. */
  #catalog: Uint8Array | undefined;
  #key = '';
  #catalogUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #ended: Promise<void> | undefined;
  #warned = false;

  constructor(keyValue: KeyValue, nats: Nats, requests: Requests, settings: ToolsSettings, lifecycle: Lifecycle) {
    this.#keyValue = keyValue;
    this.#nats = nats;
    this.#requests = requests;
    this.#leaseMs = settings.leaseMs;
    const writeAll = (): void => {
      this.#catalogUntil = 0;
      this.#renew();
    };
    // The lease may have expired meanwhile.
    nats.onConnect(writeAll);
    // A recreated bucket is empty.
    keyValue.onCreated(TOOLS_BUCKET, writeAll);
    lifecycle.stopping.addEventListener('abort', () => void this.#end(), { once: true });
  }

  /**
   * Writes the catalog as soon as NATS is connected, and renews it from then on. Throws for a catalog that the bucket
   * does not accept, so that the service does not start without its tools.
   */
  publish(catalog: ToolCatalog): void {
    this.#key = `${catalog.service}.${versionOf(catalog)}`;
    this.#catalog = encodeBucketValue(this.#key, catalog);
    this.#renew();
  }

  onModuleDestroy(): Promise<void> {
    return this.#end();
  }

  /** Ends the lease when the shutdown begins, together with the handlers, so that calls go to other instances. */
  #end(): Promise<void> {
    this.#ended ??= this.#release();
    return this.#ended;
  }

  async #release(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#renewing;
    if (!this.#nats.connected || this.#catalog === undefined) return;
    await this.#keyValue.release(TOOLS_BUCKET, `${this.#key}.${this.#instance}`).catch((error: unknown) => {
      this.#logger.warn({ msg: 'the lease of the tools could not be ended; it ends by itself', err: error });
    });
  }

  /** One renewal at a time: a lease must not be written after its release. */
  #renew(): void {
    this.#renewing = this.#renewing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    if (this.#ended !== undefined || !this.#nats.connected || this.#catalog === undefined) return;
    clearTimeout(this.#timer);
    let again = this.#leaseMs / 3;
    try {
      await this.#requests.listening();
      if (Date.now() > this.#catalogUntil) {
        await this.#keyValue.lease(TOOLS_BUCKET, this.#key, this.#catalog, CATALOG_MS);
        this.#catalogUntil = Date.now() + CATALOG_MS / 2;
      }
      await this.#keyValue.lease(TOOLS_BUCKET, `${this.#key}.${this.#instance}`, this.#lease, this.#leaseMs);
      this.#warned = false;
    } catch (error) {
      if (!this.#warned) this.#logger.warn({ msg: 'the tool catalog could not be written; trying again', err: error });
      this.#warned = true;
      again = RETRY_MS;
    }
    if (this.#ended === undefined) this.#timer = setTimeout(() => this.#renew(), again).unref();
  }
}
