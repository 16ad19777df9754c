import type { IMPORT_STATES } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

export type ImportState = (typeof IMPORT_STATES)[number];

/** Why an import failed. */
export const IMPORT_ERRORS = ['forbidden', 'file_gone', 'course_closed', 'internal'] as const;
export type ImportError = (typeof IMPORT_ERRORS)[number];

/** Encodings of files. Big5 is that of spreadsheets in Taiwan. */
export const IMPORT_ENCODINGS = ['utf-8', 'big5'] as const;
export type ImportEncoding = (typeof IMPORT_ENCODINGS)[number];

export const IMPORT_LIMITS = {
  rows: 100_000,
  /** Rows of a part of the file, which one transaction writes. */
  rowsOfPart: 500,
  /** Rows that one turn of the event loop checks. */
  rowsOfTurn: 50,
  /** A line of JSON, or a row of CSV with all its lines, in bytes. */
  bytesOfRow: 64 * 1024,
  /** The most columns that a mapping names. */
  columns: 100,
  /** Faults that are stored; all are counted. */
  faults: 1_000,
  /** A fault shows this many characters of its value. */
  charactersOfValue: 100,
  /** Faults of one row that are stored. */
  faultsOfRow: 10,
  /** Faults that the import shows; its report has all that are stored. */
  shownFaults: 50,
} as const;

/** Rows by their outcome. Skipped rows are valid and change nothing. */
export interface RowCounts {
  readonly rows_created: number;
  readonly rows_updated: number;
  readonly rows_skipped: number;
  readonly rows_failed: number;
}

/** Counts that begin with 0. */
export function noRows(): { -readonly [Name in keyof RowCounts]: number } {
  return { rows_created: 0, rows_updated: 0, rows_skipped: 0, rows_failed: 0 };
}

const ENDED: readonly ImportState[] = ['invalid', 'completed', 'failed'];

export function isOpen(state: ImportState): boolean {
  return state === 'queued' || state === 'checking' || state === 'running';
}

/** Canceling twice is a no-op. @throws `invalid_state` for an import that has ended */
export function requireCancelable(state: ImportState): void {
  if (ENDED.includes(state)) throw new ApiError('invalid_state', `The import is ${state} already`);
}

interface Runnable {
  readonly state: ImportState;
  readonly preview: RowCounts | null;
}

/**
 * Returns false for an import that runs or is completed, so that a client can retry after a lost response.
 *
 * @throws `invalid_state` for an import that is not previewed, or has faults that the caller does not accept
 */
export function startsRun({ state, preview }: Runnable, skipInvalid: boolean): boolean {
  if (state === 'running' || state === 'completed') return false;
  if (state !== 'previewed' || preview === null) {
    throw new ApiError('invalid_state', `The import is ${state}`, { hint: 'Only a previewed import can run' });
  }
  if (preview.rows_failed > 0 && !skipInvalid) {
    throw new ApiError('invalid_state', `${preview.rows_failed} rows have faults`, {
      hint: 'Correct the file and import it again, or run the import with skip_invalid: true',
    });
  }
  return true;
}

export function rowsDone({ rows_created, rows_updated, rows_skipped, rows_failed }: RowCounts): number {
  return rows_created + rows_updated + rows_skipped + rows_failed;
}

/** Both ids or the course alone. @throws `validation_failed` */
export function requirePlace({
  course_id,
  plan_id,
}: {
  readonly course_id: string | null;
  readonly plan_id: string | null;
}) {
  if (plan_id === null || course_id !== null) return;
  throw new ApiError('validation_failed', 'A plan is of a course', {
    errors: [{ pointer: '/course_id', code: 'required', detail: 'The course of plan_id' }],
  });
}
