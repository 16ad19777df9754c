import { Injectable } from '@nestjs/common';
import { PeriodicWork } from '@lyceum/platform';
import { AuditRetention } from '#src/audit/audit-retention.js';
import { ClientsService } from '#src/clients/clients.service.js';
import { KeyRing } from '#src/keys/key-ring.js';
import { HousekeepingMetrics } from './housekeeping.metrics.js';
import { HousekeepingRepository, SWEPT_TABLES, TABLES_OF_GRANTS } from './housekeeping.repository.js';
import type { GrantPlace, TableOfGrants } from './housekeeping.repository.js';

const PAUSE_MS = 60_000;
const BATCH = 500;
/** A backlog is removed in several passes, so that one table does not delay the others. */
const BATCHES_PER_PASS = 20;

/** Numbers of rows. A batch that reads fewer than its size is the last one. */
interface Batch {
  readonly read: number;
  readonly deleted: number;
}

type Step = () => Promise<Batch>;

const deleting =
  (remove: () => Promise<number>): Step =>
  async () => {
    const deleted = await remove();
    return { read: deleted, deleted };
  };

const FIRST_GRANT: GrantPlace = { created_at: new Date(0), grant_id: '' };

/**
 * Deletes expired rows in small batches that skip locked rows, rotates the signing keys, and maintains the audit log.
 * Every replica runs it.
 */
@Injectable()
export class Housekeeping extends PeriodicWork {
  /** Each grant up to here had a code or token when it was an hour old. It ends with the last one. */
  #checkedTo = FIRST_GRANT;
  /** The failures of the present pass. */
  readonly #failures: Error[] = [];

  /** One batch of each table. */
  readonly #steps: Readonly<Record<string, Step>> = {
    ...Object.fromEntries(
      SWEPT_TABLES.map((table) => [table, deleting(() => this.repository.sweep(table, BATCH))] as const),
    ),
    ...Object.fromEntries(TABLES_OF_GRANTS.map((table) => [table, () => this.#sweepOfGrants(table)] as const)),
    grants: () => this.#checkGrants(),
    clients: deleting(() => this.clients.sweepIdle(BATCH)),
    client_documents: deleting(() => this.clients.sweepDocuments(BATCH)),
  };

  constructor(
    private readonly repository: HousekeepingRepository,
    private readonly metrics: HousekeepingMetrics,
    private readonly keyRing: KeyRing,
    private readonly clients: ClientsService,
    private readonly auditRetention: AuditRetention,
  ) {
    super(PAUSE_MS, 'a part of housekeeping failed');
  }

  /** Runs all tasks, every minute. One that fails does not stop the others; rejects after the last one then. */
  async run(signal?: AbortSignal): Promise<void> {
    this.#failures.length = 0;
    await this.sweep(signal);
    await this.#attempt('the rotation of the signing keys', () => this.keyRing.rotateWhenDue());
    await this.#attempt('the maintenance of the audit partitions', () => this.auditRetention.maintain());
    if (this.#failures.length === 0) return;
    throw new AggregateError(this.#failures, this.#failures.map(({ message }) => message).join(', '));
  }

  /** One pass over all tables; returns the number of deleted rows. */
  async sweep(signal?: AbortSignal): Promise<number> {
    let total = 0;
    const failed: { readonly table: string; readonly error: unknown }[] = [];
    for (const [table, step] of Object.entries(this.#steps)) {
      try {
        total += await this.#batches(table, signal, step);
      } catch (error) {
        failed.push({ table, error });
      }
    }
    for (const same of Map.groupBy(failed, ({ error }) => String(error)).values())
      this.#fail(`the sweep of ${same.map(({ table }) => table).join(', ')}`, same[0]?.error);
    return total;
  }

  async #batches(table: string, signal: AbortSignal | undefined, step: Step): Promise<number> {
    let total = 0;
    for (let batch = 0; batch < BATCHES_PER_PASS && signal?.aborted !== true; batch += 1) {
      const { read, deleted } = await step();
      this.metrics.removed(table, deleted);
      total += deleted;
      if (read < BATCH) break;
    }
    return total;
  }

  /** Deletes expired rows, and the grants that ended with them. */
  async #sweepOfGrants(table: TableOfGrants): Promise<Batch> {
    const grantIds = await this.repository.sweepOfGrants(table, BATCH);
    try {
      this.metrics.removed('grants', await this.repository.deleteWithoutTokens(grantIds));
    } catch (error) {
      this.#checkedTo = FIRST_GRANT;
      throw error;
    }
    return { read: grantIds.length, deleted: grantIds.length };
  }

  /** Checks the next grants that have become an hour old. Those without a code or token never get one. */
  async #checkGrants(): Promise<Batch> {
    const places = await this.repository.grantsAfter(this.#checkedTo, BATCH);
    const deleted = await this.repository.deleteWithoutTokens(places.map(({ grant_id }) => grant_id));
    this.#checkedTo = places.at(-1) ?? this.#checkedTo;
    return { read: places.length, deleted };
  }

  async #attempt(task: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(task, error);
    }
  }

  #fail(part: string, cause: unknown): void {
    this.#failures.push(new Error(`${part} failed`, { cause }));
  }
}
