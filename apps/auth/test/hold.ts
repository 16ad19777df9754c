import { eventually } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { TestAuth } from './auth.js';

const WAITING = `
  SELECT count(*)::int AS n FROM pg_stat_activity
   WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;

/** A lock that stops requests at a known place during another action. */
export class Hold {
  private constructor(
    private readonly auth: TestAuth,
    private readonly runner: QueryRunner,
  ) {}

  /** The locking statement, on a table or on rows. */
  static of(auth: TestAuth, statement: string, values: readonly unknown[] = []): Promise<Hold> {
    return Hold.after(auth, (manager) => manager.query(statement, [...values]));
  }

  /** The locks of work that another replica has not committed yet. */
  static async after(auth: TestAuth, work: (manager: EntityManager) => Promise<unknown>): Promise<Hold> {
    const runner = auth.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await work(runner.manager);
    return new Hold(auth, runner);
  }

  /** Resolves when this many statements wait for the lock, directly or indirectly. */
  async waiting(wanted: number): Promise<void> {
    await eventually(
      () => this.auth.sql<{ n: number }>(WAITING),
      ([row]) => row?.n === wanted,
    );
  }

  async release(): Promise<void> {
    await this.runner.commitTransaction();
    await this.runner.release();
  }
}
