import { Injectable, Logger } from '@nestjs/common';
import { SharedValues } from '@lyceum/messaging';
import type { SharedValue } from '@lyceum/messaging';
import { RateWindows } from './rate-windows.js';
import type { Lease, LeaseRequest } from './rate-windows.js';
import { leaseOf } from './window.policy.js';
import type { Window } from './window.policy.js';

/** Windows in memory; above it the oldest is dropped and read again from NATS. */
const WINDOWS = 50_000;
/**
 * Each failed attempt is a lease of another replica, and a window of thousands of units has fewer than a hundred. More
 * failures mean that NATS returns old values.
 */
const ATTEMPTS = 200;
/** After a failure no request waits for NATS during this time. */
const PAUSE_MS = 1_000;

interface Known {
  readonly window: Window | undefined;
  /** Revision in NATS; 0 without one. */
  readonly revision: number;
}

/**
 * The windows of a service without a database, in the memory of NATS. A lease is one compare-and-set; a replica reads
 * the window when another one has leased since. While NATS is unavailable each replica goes on with the windows that
 * it knows, so a limit then applies to each replica alone.
 */
@Injectable()
export class NatsRateWindows extends RateWindows {
  readonly #logger = new Logger(NatsRateWindows.name);
  readonly #known = new Map<string, Known>();
  #pausedUntil = 0;
  #shared = true;

  constructor(private readonly values: SharedValues) {
    super();
  }

  async lease(request: LeaseRequest): Promise<Lease> {
    const key = request.key.toString('hex');
    if (performance.now() < this.#pausedUntil) return this.#leaseAlone(key, request);
    try {
      const lease = await this.#leaseShared(key, request);
      if (!this.#shared) this.#logger.log('the rate limits are shared by all replicas again');
      this.#shared = true;
      return lease;
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      if (this.#shared) {
        this.#logger.warn({ msg: 'NATS is unavailable: the rate limits apply to this replica alone', err: error });
      }
      this.#shared = false;
      return this.#leaseAlone(key, request);
    }
  }

  async #leaseShared(key: string, request: LeaseRequest): Promise<Lease> {
    let known = this.#known.get(key);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { window, lease } = leaseOf(known?.window, request, Date.now());
      if (lease.granted === 0) return lease;
      const revision = await this.values.write(key, `${window.startedAt} ${window.spent}`, known?.revision ?? 0);
      if (revision !== undefined) {
        this.#remember(key, { window, revision });
        return lease;
      }
      const stored = await this.values.read(key);
      // NATS lost the window: this replica's count is the best one left.
      known = stored === undefined ? { window: known?.window, revision: 0 } : read(stored);
      this.#remember(key, known);
    }
    throw new Error(`The window was changed at each of ${ATTEMPTS} attempts`);
  }

  #leaseAlone(key: string, request: LeaseRequest): Lease {
    const known = this.#known.get(key);
    const { window, lease } = leaseOf(known?.window, request, Date.now());
    this.#remember(key, { window, revision: known?.revision ?? 0 });
    return lease;
  }

  #remember(key: string, known: Known): void {
    // Inserted again, so that the map is ordered by the last lease.
    this.#known.delete(key);
    this.#known.set(key, known);
    if (this.#known.size > WINDOWS) this.#known.delete(this.#known.keys().next().value ?? '');
  }
}

function read({ text, revision }: SharedValue): Known {
  const [startedAt = Number.NaN, spent = Number.NaN] = text.split(' ').map(Number);
  if (!Number.isSafeInteger(startedAt) || !Number.isSafeInteger(spent)) throw new Error(`Not a rate window: ${text}`);
  return { window: { startedAt, spent }, revision };
}
