import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '@lyceum/platform';
import { AuditRetention } from '#src/audit/audit-retention.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { KeyRing } from '#src/keys/key-ring.js';
import { HousekeepingMetrics } from './housekeeping.metrics.js';
import { HousekeepingRepository, SWEPT_TABLES } from './housekeeping.repository.js';

const PAUSE_MS = 60_000;
const BATCH = 500;
/** A backlog is removed in several passes, so that one table does not delay the others. */
const BATCHES_PER_PASS = 20;

/**
 * Deletes expired rows in small batches that skip locked rows, rotates the signing keys, and maintains the audit log.
 * Every replica runs it.
 */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(Housekeeping.name);
  readonly #task = new PeriodicTask(
    PAUSE_MS,
    (signal) => this.runOnce(signal),
    (error) => this.#logger.warn(`housekeeping failed: ${String(error)}`),
  );

  constructor(
    private readonly repository: HousekeepingRepository,
    private readonly metrics: HousekeepingMetrics,
    private readonly keyRing: KeyRing,
    private readonly clients: ClientsService,
    private readonly auditRetention: AuditRetention,
  ) {}

  onApplicationBootstrap(): void {
    this.#task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#task.stop();
  }

  /** Runs all tasks, every minute. */
  async runOnce(signal?: AbortSignal): Promise<void> {
    await this.#attempt('the sweep', () => this.sweep(signal));
    await this.#attempt('the rotation of the signing keys', () => this.keyRing.rotateWhenDue());
    await this.#attempt('the maintenance of the audit partitions', () => this.auditRetention.maintain());
  }

  /** One pass over all tables; returns the number of deleted rows. */
  async sweep(signal?: AbortSignal): Promise<number> {
    let total = 0;
    for (const table of SWEPT_TABLES) {
      total += await this.#batches(table, signal, () => this.repository.sweep(table, BATCH));
    }
    total += await this.#batches('clients', signal, () => this.clients.sweepIdle(BATCH));
    total += await this.#batches('client_documents', signal, () => this.clients.sweepDocuments(BATCH));
    return total;
  }

  async #batches(table: string, signal: AbortSignal | undefined, remove: () => Promise<number>): Promise<number> {
    let total = 0;
    for (let batch = 0; batch < BATCHES_PER_PASS && signal?.aborted !== true; batch += 1) {
      const gone = await remove();
      this.metrics.removed(table, gone);
      total += gone;
      if (gone < BATCH) break;
    }
    return total;
  }

  /** A failed task is retried in the next pass and does not stop the others. */
  async #attempt(task: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#logger.warn(`${task} failed and will be retried: ${String(error)}`);
    }
  }
}
