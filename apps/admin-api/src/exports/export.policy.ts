import type { Caller } from '@lyceum/collections';
import { isAdministrator, isTeacher } from '@lyceum/contracts';
import type { EXPORT_COLLECTIONS, EXPORT_STATES, Role, Scope } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { JobFailure, forbidden } from '#src/file-jobs/file-job.policy.js';

type ExportCollection = (typeof EXPORT_COLLECTIONS)[number];
export type ExportState = (typeof EXPORT_STATES)[number];

/** Why an export failed. */
export const EXPORT_ERRORS = ['forbidden', 'too_large', 'internal'] as const;
export type ExportError = (typeof EXPORT_ERRORS)[number];

export const EXPORT_LIMITS = {
  /** Rows that one statement reads, and that the first one of a run reads where PostgreSQL writes the rows. */
  rowsOfStatement: 200,
  /** Rows that a later one reads: the most that fit, by the lines of the one before. Each is a prepared statement. */
  linesOfStatement: [2_000, 200, 50],
  /** Characters of the lines that one statement should read. They are in memory at once. */
  charactersOfStatement: 4_000_000,
  /** Rows that one turn of the event loop writes. */
  rowsOfTurn: 200,
  /** A run begins no statement after this time. Other sites wait for its place. */
  msOfRun: 1_000 as number,
  /** A part ends with the statement that reaches one of these limits. The part is in memory until it is stored. */
  rowsOfPart: 2_000,
  bytesOfPart: 1024 * 1024,
  /** S3 accepts at most 5 GB in one request. */
  bytesOfFile: 2_000_000_000,
} as const;

export function isOpen(state: ExportState): boolean {
  return state === 'queued' || state === 'running';
}

/** Returns how many rows a statement reads after the one with these lines. */
export function rowsAfter(lines: readonly string[] | undefined): number {
  const { rowsOfStatement, linesOfStatement, charactersOfStatement } = EXPORT_LIMITS;
  if (lines === undefined) return rowsOfStatement;
  const characters = lines.reduce((sum, { length }) => sum + length, 0);
  const fit = (rows: number): boolean => rows * characters <= charactersOfStatement * lines.length;
  return linesOfStatement.find(fit) ?? Math.min(...linesOfStatement);
}

/** Canceling twice is a no-op. @throws `invalid_state` for an export that has ended */
export function requireCancelable(state: ExportState): void {
  if (state === 'ready' || state === 'failed') throw new ApiError('invalid_state', `The export is ${state} already`);
}

/** @throws {JobFailure} if the part would make the file too large */
export function requireFit(bytes: number, part: number): void {
  if (bytes + part > EXPORT_LIMITS.bytesOfFile) throw new JobFailure<ExportError>('too_large');
}

/** Exports of these collections need a scope beside that of exports, and the role owner or admin. */
const SCOPES: Readonly<Partial<Record<ExportCollection, Scope>>> = {
  orders: 'orders:read',
  form_submissions: 'forms:read',
  members: 'members:read',
  activity: 'school:read',
  analytics_revenue: 'analytics:read',
  analytics_funnel: 'analytics:read',
  analytics_memberships: 'analytics:read',
  analytics_cohorts: 'analytics:read',
  analytics_attendance: 'analytics:read',
};

/** Returns the collections whose exports the caller may not see. Jobs have no scopes, and see all. */
export function hiddenFrom({ scopes }: Pick<Caller, 'scopes'>): string[] {
  if (scopes === undefined) return [];
  return Object.entries(SCOPES).flatMap(([collection, scope]) => (scopes.includes(scope) ? [] : [collection]));
}

/** @throws `insufficient_scope`, `forbidden` */
export function requireReader(collection: ExportCollection, caller: Pick<Caller, 'scopes' | 'roles'>): void {
  const scope = SCOPES[collection];
  if (scope === undefined) return;
  const words = collection.replaceAll('_', ' ');
  if (hiddenFrom(caller).includes(collection)) {
    throw new ApiError('insufficient_scope', `An export of ${words} needs the scope ${scope}`, { scopes: [scope] });
  }
  requireAdministrator(caller, `export its ${words}`);
}

/**
 * Returns true when the roles can read the whole collection, false when they can read own rows of a teacher only.
 *
 * @throws {JobFailure} when they show nothing
 */
export function seesWhole(
  roles: readonly Role[],
  { created_at, forAdministrators }: { readonly created_at: Date; readonly forAdministrators: boolean },
  now: number,
): boolean {
  if (isAdministrator({ roles })) return true;
  if (isTeacher({ roles }) && !forAdministrators) return false;
  throw forbidden(created_at, now);
}
