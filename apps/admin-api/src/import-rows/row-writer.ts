import type { Caller } from '@lyceum/collections';
import type { EntityManager } from 'typeorm';
import type { ImportMode } from './import-mode.js';
import type { RowOutcome } from './import-row.policy.js';

/** The members that a row names, as the schema of its collection accepts them. */
export type RowValues = Readonly<Record<string, unknown>>;

/** How the rows of an import are written. Only students are enrolled and get mails. */
export interface ImportRule {
  readonly mode: ImportMode;
  readonly course_id: string | null;
  readonly plan_id: string | null;
  readonly send_welcome_email: boolean;
}

/** Writes the rows of one collection. No two rows have one value of a unique member. */
export interface RowWriter {
  /** The outcome of each row as of now. Changes nothing. */
  preview(caller: Caller, rows: readonly RowValues[], rule: ImportRule): Promise<readonly RowOutcome[]>;
  /** Writes each row as a single creation or patch does. Returns the outcome of each. */
  run(caller: Caller, rows: readonly RowValues[], rule: ImportRule, tx: EntityManager): Promise<readonly RowOutcome[]>;
}
