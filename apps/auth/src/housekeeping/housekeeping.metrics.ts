import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MetricsRegistry, SingleFlight } from '@lyceum/platform';
import prom from 'prom-client';
import { TablesRepository } from './tables.repository.js';

/** A scrape does not wait longer for the database; it then shows what was known before. */
const SCRAPE_WAIT_MS = 500;
/** However often it is scraped, the database is asked no more often. */
const FRESH_MS = 10_000;

/** How large the tables are, how far housekeeping is behind, and what it has removed. */
@Injectable()
export class HousekeepingMetrics {
  readonly #rows: prom.Gauge<'table'>;
  readonly #overdue: prom.Gauge<'table'>;
  readonly #removed: prom.Counter<'table'>;
  readonly #batches: prom.Counter<'table'>;
  readonly #reads = new SingleFlight<void>();
  #readAt = -Infinity;

  constructor(
    { registry }: MetricsRegistry,
    private readonly tables: TablesRepository,
  ) {
    const registers = [registry];
    const labelNames = ['table'] as const;
    const collect = (): Promise<void> => this.#collect();
    this.#rows = new prom.Gauge({
      name: 'auth_table_rows',
      help: 'Rows by table, as PostgreSQL estimates them',
      labelNames,
      registers,
      collect,
    });
    this.#overdue = new prom.Gauge({
      name: 'auth_table_overdue_seconds',
      help: 'For how long the oldest row has been due to be removed',
      labelNames,
      registers,
      collect,
    });
    this.#removed = new prom.Counter({
      name: 'auth_housekeeping_rows_removed_total',
      help: 'Rows that housekeeping removed',
      labelNames,
      registers,
    });
    this.#batches = new prom.Counter({
      name: 'auth_housekeeping_batches_total',
      help: 'Batches in which housekeeping removed something',
      labelNames,
      registers,
    });
  }

  /** One batch. */
  removed(table: string, rows: number): void {
    if (rows === 0) return;
    this.#removed.inc({ table }, rows);
    this.#batches.inc({ table });
  }

  /** Never fails and never takes long: the other metrics of the scrape do not depend on the database. */
  async #collect(): Promise<void> {
    if (performance.now() - this.#readAt < FRESH_MS) return;
    const reading = this.#reads.run('states', () => this.#read());
    const waited = new AbortController();
    await Promise.race([reading, sleep(SCRAPE_WAIT_MS, undefined, { signal: waited.signal, ref: false })]);
    waited.abort();
  }

  async #read(): Promise<void> {
    try {
      const states = await this.tables.states();
      for (const { table, rows, overdue } of states) {
        if (rows !== null) this.#rows.set({ table }, rows);
        if (overdue !== null) this.#overdue.set({ table }, overdue);
      }
      this.#readAt = performance.now();
    } catch {
      // Readiness tells that the database is away.
      this.#rows.reset();
      this.#overdue.reset();
    }
  }
}
