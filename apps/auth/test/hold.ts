import { DataSource } from 'typeorm';
import type { QueryRunner } from 'typeorm';
import type { TestAuth } from './auth.js';

const WAITING = `
  SELECT count(*)::int AS n FROM pg_stat_activity
   WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
/** Only reached when a test fails. */
const LIMIT_MS = 10_000;

/** A lock that stops requests at a known place, for as long as something else is to happen. */
export class Hold {
  private constructor(
    private readonly auth: TestAuth,
    private readonly runner: QueryRunner,
  ) {}

  /** What the statement locks: a table, or rows. */
  static async of(auth: TestAuth, statement: string, values: readonly unknown[] = []): Promise<Hold> {
    const runner = auth.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await runner.query(statement, [...values]);
    return new Hold(auth, runner);
  }

  /** Once so many statements wait, for this lock or for one that waits for it. */
  async waiting(wanted: number): Promise<void> {
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      const [row] = await this.auth.sql<{ n: number }>(WAITING);
      if (row?.n === wanted) return;
      if (Date.now() > deadline) throw new Error(`${row?.n} wait, and not ${wanted}`);
    }
  }

  async release(): Promise<void> {
    await this.runner.commitTransaction();
    await this.runner.release();
  }
}
