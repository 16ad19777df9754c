import type { Sql } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { LostLease } from './job-errors.js';
import type { QueueDeclaration } from './queue-declaration.js';
import { retrySeconds } from './retry.policy.js';
import { statementsOf } from './statements.js';

/** Rows of a statement that changes all jobs of a kind: `statement_timeout` is 5 s. */
const TOGETHER = 500;

/** A claimed row. This replica has it until the lease ends. */
export type Job<Row> = Row & {
  readonly site_id: string;
  /** Number of attempts, including this one. */
  readonly attempts: number;
  /** End of the lease as text of PostgreSQL. It identifies the lease. */
  readonly lease: string;
};

/** A dead job, with the columns of its key. */
export interface DeadJob {
  readonly site_id: string;
  readonly attempts: number;
  readonly ended_at: Date;
  readonly failure: string;
}

/** Uses the rows of a table as jobs. A job is claimed with a lease, then ended, continued, retried or dead. */
export class JobQueue<Row extends object> {
  readonly #statements;

  constructor(
    readonly declaration: QueueDeclaration,
    private readonly sql: Pick<Sql, 'query'>,
  ) {
    this.#statements = statementsOf(declaration);
  }

  /**
   * Claims due jobs: at most `jobsOfSite` of each of `sites` random sites. Skips jobs of other replicas.
   *
   * @param busy the sites whose jobs run in this replica. They have a place each, and no other job of them is claimed.
   */
  async claim(busy: readonly string[] = []): Promise<Job<Row>[]> {
    return this.sql.query<Job<Row>>(this.#statements.claim, [busy]);
  }

  /** Ends a job, in `tx` together with its effects. @throws {LostLease} if the lease has ended: `tx` must roll back */
  async end(job: Job<Row>, tx?: EntityManager): Promise<void> {
    await this.#change('end', job, tx);
  }

  /**
   * Ends a part of a job. The next part runs after the other due jobs of the site.
   *
   * @throws {LostLease} as `end` does
   */
  async again(job: Job<Row>, tx?: EntityManager): Promise<void> {
    await this.#change('again', job, tx);
  }

  /** Returns a job that a shutdown interrupts. It is due, and the attempt does not count. @throws {LostLease} */
  async release(job: Job<Row>): Promise<void> {
    await this.#change('release', job, undefined);
  }

  /** Retries the job later, or makes it dead after its last attempt. Returns true if dead. @throws {LostLease} */
  async fail(job: Job<Row>, failure: string, permanent = false): Promise<boolean> {
    const seconds = permanent ? null : retrySeconds(job.attempts, this.declaration);
    if (seconds === null) await this.#change('die', job, undefined, failure);
    else await this.#change('retry', job, undefined, seconds);
    return seconds === null;
  }

  /** Returns the newest dead jobs, at most `limit`. */
  async dead(limit: number): Promise<DeadJob[]> {
    return this.sql.query<DeadJob>(this.#statements.dead, [limit]);
  }

  /** Makes all dead jobs due again, in short transactions. Returns their number. */
  async reviveAll(): Promise<number> {
    return this.#all('revive', []);
  }

  /** Ends the jobs that were due at an instant, without running them, in short transactions. Returns their number. */
  async endDue(until: Date): Promise<number> {
    return this.#all('endDue', [until]);
  }

  /** Repeats a statement whose last parameter is a limit, until it finds fewer rows. */
  async #all(name: 'revive' | 'endDue', values: readonly unknown[]): Promise<number> {
    for (let changed = 0; ;) {
      const batch = await this.sql.query(this.#statements[name], [...values, TOGETHER]);
      changed += batch.length;
      if (batch.length < TOGETHER) return changed;
    }
  }

  async #change(
    name: 'end' | 'again' | 'release' | 'retry' | 'die',
    job: Job<Row>,
    tx: EntityManager | undefined,
    ...values: unknown[]
  ): Promise<void> {
    const key = this.declaration.key.map((column) => (job as Readonly<Record<string, unknown>>)[column]);
    const all = [...key, job.lease, ...values];
    const changed = await this.sql.query(this.#statements[name], all, tx);
    if (changed.length === 0) throw new LostLease(this.declaration.name);
  }
}
