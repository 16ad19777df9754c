/**
 * Declares a table whose rows are jobs. Beside its own columns the table has `site_id uuid`, `due_at timestamptz`,
 * `attempts integer default 0`, `ended_at timestamptz` and `failure text`, and two indexes:
 * `(site_id, due_at) where ended_at is null` and `(ended_at) where failure is not null`.
 * An insert enqueues a job, in any transaction. A unique key deduplicates jobs.
 */
export interface QueueDeclaration {
  /** Label of the metrics and of log lines. */
  readonly name: string;
  readonly table: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** SQL expressions of a claimed row, over the alias `job`. They include the columns of the key. */
  readonly columns: readonly string[];
  /** SQL condition over the alias `job`. Rows that do not meet it are not due. */
  readonly ready?: string;
  /** Seconds for which a replica has a job. After that another replica can take the job. A run must end before. */
  readonly leaseSeconds: number;
  /** Number of attempts, after which a job is dead. */
  readonly attempts: number;
  readonly firstRetrySeconds: number;
  readonly longestRetrySeconds: number;
  /** Sites whose jobs run at one time in a replica, and jobs of each. So a site with many jobs delays no other. */
  readonly sites: number;
  readonly jobsOfSite: number;
}
