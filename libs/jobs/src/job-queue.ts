import { preparedQuery } from '@lyceum/platform';
import type { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { LostLease } from './job-errors.js';
import type { QueueDeclaration } from './queue-declaration.js';
import { retrySeconds } from './retry.policy.js';
import { statementsOf } from './statements.js';

const REVIVED_TOGETHER = 500;

/** A row that this replica has for the time of its lease. */
export type Job<Row> = Row & {
  /** With this one. */
  readonly attempts: number;
  /** The instant at which the lease ends, as text. It names the lease. */
  readonly lease: string;
};

export interface QueueDepth {
  readonly waiting: number;
  readonly oldest_seconds: number;
  readonly dead: number;
}

/** With the columns of its key. */
export interface DeadJob {
  readonly site_id: string;
  readonly attempts: number;
  readonly ended_at: Date;
  readonly failure: string;
}

/** Rows of a table as jobs: claimed with a lease, then ended, continued, retried or dead. */
export class JobQueue<Row extends object> {
  readonly #statements;

  constructor(
    readonly declaration: QueueDeclaration,
    private readonly sql: Pick<Sql, 'query'>,
  ) {
    this.#statements = statementsOf(declaration);
  }

  /** Takes due jobs of some sites that no other replica has. */
  async claim(): Promise<Job<Row>[]> {
    return this.sql.query<Job<Row>>(this.#statements.claim, []);
  }

  /** @throws {LostLease} Then the transaction must roll back. */
  async end(job: Job<Row>, tx?: EntityManager): Promise<void> {
    await this.#change('end', job, tx);
  }

  /** A part of the job is done: its next part runs after the other due jobs of the site. @throws {LostLease} */
  async again(job: Job<Row>, tx?: EntityManager): Promise<void> {
    await this.#change('again', job, tx);
  }

  /** Makes the job due later, or dead after its last attempt. Returns true when it is dead. @throws {LostLease} */
  async fail(job: Job<Row>, failure: string, permanent = false): Promise<boolean> {
    const seconds = permanent ? null : retrySeconds(job.attempts, this.declaration);
    if (seconds === null) await this.#change('die', job, undefined, failure);
    else await this.#change('retry', job, undefined, seconds);
    return seconds === null;
  }

  /** The newest dead jobs. */
  async dead(limit: number): Promise<DeadJob[]> {
    return this.sql.query<DeadJob>(this.#statements.dead, [limit]);
  }

  /** Makes all dead jobs due, in short transactions; returns how many. */
  async reviveAll(): Promise<number> {
    for (let revived = 0; ;) {
      const batch = await this.sql.query(this.#statements.revive, [REVIVED_TOGETHER]);
      revived += batch.length;
      if (batch.length < REVIVED_TOGETHER) return revived;
    }
  }

  async depth(): Promise<QueueDepth> {
    const [depth] = await this.sql.query<QueueDepth>(this.#statements.depth, []);
    return depth ?? { waiting: 0, oldest_seconds: 0, dead: 0 };
  }

  async #change(
    name: 'end' | 'again' | 'retry' | 'die',
    job: Job<Row>,
    tx: EntityManager | undefined,
    ...values: unknown[]
  ): Promise<void> {
    const key = this.declaration.key.map((column) => (job as Readonly<Record<string, unknown>>)[column]);
    const all = [...key, job.lease, ...values];
    const statement = this.#statements[name];
    const changed = await (tx === undefined ? this.sql.query(statement, all) : preparedQuery(tx, statement, all));
    if (changed.length === 0) throw new LostLease(this.declaration.name);
  }
}
