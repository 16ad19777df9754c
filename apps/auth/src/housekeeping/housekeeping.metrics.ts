import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MetricsRegistry, SingleFlight } from '@lyceum/platform';
import prom from 'prom-client';
import { TablesRepository } from './tables.repository.js';

/** A scrape waits at most this long for the database; then it returns the previous values. */
const SCRAPE_WAIT_MS = 500;
/** The minimum time between two queries, for any number of scrapes. */
const FRESH_MS = 10_000;

/** Table sizes, the backlog of housekeeping, and the number of deleted rows. */
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

  /** Records one batch. */
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
      // Readiness reports a database outage.
      this.#rows.reset();
      this.#overdue.reset();
    }
  }
}
