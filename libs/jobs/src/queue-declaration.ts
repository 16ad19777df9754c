/**
 * A table whose rows are jobs. Beside columns of its own it has `site_id uuid`, `due_at timestamptz`,
 * `attempts integer default 0`, `ended_at timestamptz` and `failure text`, and two indexes:
 * `(site_id, due_at) where ended_at is null` and `(ended_at) where failure is not null`.
 * An insert enqueues, in any statement and any transaction; a unique key deduplicates.
 */
export interface QueueDeclaration {
  /** Label of the metrics and of log lines. */
  readonly name: string;
  readonly table: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** SQL expressions of a claimed row, over the alias `job`. The columns of the key are among them under their names. */
  readonly columns: readonly string[];
  /** SQL condition over the alias `job`. A row for which it does not hold waits. */
  readonly ready?: string;
  /** A replica has a job for so long. A run ends before that; when the replica dies, another one takes the job after it. */
  readonly leaseSeconds: number;
  /** Attempts until a job is dead. */
  readonly attempts: number;
  readonly firstRetrySeconds: number;
  readonly longestRetrySeconds: number;
  /** Sites whose jobs are taken together, and jobs of each: a site with many jobs does not delay the others. */
  readonly sites: number;
  readonly jobsOfSite: number;
}
